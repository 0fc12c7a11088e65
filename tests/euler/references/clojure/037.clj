(defn prime? [^long n]
  (and (> n 1)
       (loop [d 2]
         (cond
           (> (* d d) n) true
           (zero? (rem n d)) false
           :else (recur (inc d))))))

(defn longer
  "The primes that come from these when one digit is written behind."
  [primes]
  (for [p primes
        digit [1 3 7 9]
        :let [n (+ (* 10 p) digit)]
        :when (prime? n)]
    n))

(defn survives-from-the-left? [n]
  (->> (iterate #(* 10 %) 10)
       (take-while #(< % n))
       (every? #(prime? (rem n %)))))

;; What is left after striking digits off the right is prime, so candidates grow from the one-digit primes.
(println (->> (iterate longer [2 3 5 7])
              (take-while seq)
              rest
              (apply concat)
              (filter survives-from-the-left?)
              (reduce +)))
