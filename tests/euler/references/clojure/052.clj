(defn digits [n]
  (sort (str n)))

(defn permuted-multiples? [x]
  (every? #(= (digits x) (digits (* % x))) (range 2 7)))

(println (first (filter permuted-multiples? (rest (range)))))
