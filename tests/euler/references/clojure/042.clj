(defn value [word]
  (reduce + (map #(- (int %) (dec (int \A))) word)))

(defn triangle-number? [n]
  (->> (rest (range))
       (reductions +)
       (drop-while #(< % n))
       first
       (= n)))

(println (->> (slurp "words.txt")
              (re-seq #"[A-Z]+")
              (map value)
              (filter triangle-number?)
              count))
