;; Sum of the even terms, up to four million, of the sequence 1, 2, 3, 5, 8, ...

(def limit 4000000)

(def terms
  (map first (iterate (fn [[term following]] [following (+ term following)]) [1 2])))

(println (->> terms
              (take-while #(<= % limit))
              (filter even?)
              (reduce +)))
