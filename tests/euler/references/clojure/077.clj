(def wanted 5000)

(defn prime? [n]
  (every? #(pos? (rem n %)) (range 2 n)))

(defn sums-of-primes
  "In how many ways 0, 1, ..., `limit` are sums of primes."
  [limit]
  (reduce (fn [ways p]
            (reduce (fn [ways n] (update ways n + (ways (- n p))))
                    ways
                    (range p (inc limit))))
          (into [1] (repeat limit 0))
          (filter prime? (range 2 (inc limit)))))

(defn first-with-more-ways [limit]
  (first (keep-indexed (fn [n ways] (when (> ways wanted) n)) (sums-of-primes limit))))

(println (some first-with-more-ways (iterate #(* 2 %) 10)))
