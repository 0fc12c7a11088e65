;; The index of the first Fibonacci number of 1000 digits.

(def smallest (.pow BigInteger/TEN 999)) ; the smallest number of 1000 digits

(def fibonacci
  (map first (iterate (fn [[term following]] [following (+' term following)]) [1 1])))

;; Term number 1 comes first.
(println (inc (count (take-while #(< % smallest) fibonacci))))
