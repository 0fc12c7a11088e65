(def squares [[0 1] [0 4] [0 9] [1 6] [2 5] [3 6] [4 9] [6 4] [8 1]])

(defn choices
  "All sets of k of the digits."
  [k digits]
  (cond
    (zero? k) [#{}]
    (empty? digits) []
    :else (concat (map #(conj % (first digits)) (choices (dec k) (rest digits)))
                  (choices k (rest digits)))))

(defn turned
  "The digits that a cube can show: a 6 serves as a 9, and a 9 as a 6."
  [cube]
  (if (some cube [6 9]) (conj cube 6 9) cube))

(defn shows-all? [left right]
  (every? (fn [[a b]]
            (or (and (left a) (right b))
                (and (left b) (right a))))
          squares))

(def cubes (vec (map turned (choices 6 (range 10)))))

(println
 (count (for [left (range (count cubes))
              right (range left (count cubes))
              :when (shows-all? (cubes left) (cubes right))]
          1)))
