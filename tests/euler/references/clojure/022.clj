;; The sum of the scores of the names in names.txt: letters' values times alphabetical position.

(def names
  (sort (re-seq #"[A-Z]+" (slurp "names.txt"))))

(defn value [name]
  (reduce + (map #(- (int %) 64) name))) ; A is 65

(println (reduce + (map * (iterate inc 1) (map value names))))
