(require '[clojure.string :as string])

(def matrix
  (for [line (string/split-lines (string/trim (slurp "matrix.txt")))]
    (map parse-long (string/split (string/trim line) #","))))

(defn pass
  "The smallest sums when each cell of a column may also be reached from the one before it."
  [sums column]
  (reductions (fn [before [sum cell]] (min sum (+ before cell)))
              (first sums)
              (rest (map vector sums column))))

(defn column-sums
  "The smallest sums on the way to the cells of a column, given those of the column on its left."
  [left column]
  (let [down (pass (map + left column) column)]
    (reverse (pass (reverse down) (reverse column)))))

(def columns (apply map list matrix))

(println (reduce min (reduce column-sums (first columns) (rest columns))))
