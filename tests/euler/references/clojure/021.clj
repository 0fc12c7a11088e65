;; The sum of the amicable numbers below 10000.

(def limit 10000)

(defn sum-of-proper-divisors [^long number]
  (loop [divisor 2, total (if (= number 1) 0 1)]
    (let [square (* divisor divisor)]
      (cond
        (> square number) total
        (= square number) (+ total divisor)
        (zero? (rem number divisor)) (recur (inc divisor) (+ total divisor (quot number divisor)))
        :else (recur (inc divisor) total)))))

(defn amicable? [number]
  (let [partner (sum-of-proper-divisors number)]
    (and (pos? partner)
         (not= partner number)
         (= number (sum-of-proper-divisors partner)))))

(println (reduce + (filter amicable? (range 1 limit))))
