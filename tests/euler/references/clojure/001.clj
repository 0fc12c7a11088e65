;; Sum of the numbers below 1000 that 3 or 5 divides.

(defn multiple? [n]
  (or (zero? (mod n 3)) (zero? (mod n 5))))

(println (reduce + (filter multiple? (range 1 1000))))
