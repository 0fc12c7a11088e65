;; The sum of all primes below two million, by the sieve of Eratosthenes.

(def limit 2000000)

(defn primes-below [limit]
  (let [composite (java.util.BitSet. limit)]
    (loop [n 2]
      (when (< (* n n) limit)
        (when-not (.get composite n)
          (doseq [multiple (range (* n n) limit n)]
            (.set composite multiple)))
        (recur (inc n))))
    (remove #(.get composite %) (range 2 limit))))

(println (reduce + (primes-below limit)))
