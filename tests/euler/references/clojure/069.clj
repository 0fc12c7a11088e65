(def limit 1000000)

(defn prime? [n]
  (every? #(pos? (rem n %)) (range 2 n)))

;; n / phi(n) is the product of p / (p - 1) over the primes p that divide n. It depends on the set of primes
;; alone, and small primes count most: the best n is the product of the first few primes.
(->> (filter prime? (iterate inc 2))
     (reductions *)
     (take-while #(<= % limit))
     last
     println)
