(require '[clojure.string :as string])

(def matrix
  (for [line (string/split-lines (string/trim (slurp "matrix.txt")))]
    (map parse-long (string/split line #","))))

(defn row-sums
  "The smallest sums on the way to the cells of a row, given those of the row above."
  [above row]
  (rest (reductions (fn [left [up cell]] (+ cell (min left up)))
                    ##Inf
                    (map vector above row))))

(def start (cons 0 (repeat ##Inf)))

(println (long (last (reduce row-sums start matrix))))
