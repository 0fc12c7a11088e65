;; The 10001st prime, by trial division with odd numbers.

(def position 10001)

(defn odd-prime? [^long number]
  (loop [divisor 3]
    (cond
      (> (* divisor divisor) number) true
      (zero? (rem number divisor)) false
      :else (recur (+ divisor 2)))))

(def primes
  (cons 2 (filter odd-prime? (iterate #(+ 2 %) 3))))

(println (nth primes (dec position)))
