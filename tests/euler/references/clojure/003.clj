;; The largest prime factor of one number, by trial division.

(def number 600851475143)

(defn largest-prime-factor [number]
  (loop [rest number, divisor 2] ; `rest` has no prime factor below `divisor`
    (cond
      (> (* divisor divisor) rest) rest
      (zero? (rem rest divisor)) (recur (quot rest divisor) divisor)
      :else (recur rest (inc divisor)))))

(println (largest-prime-factor number))
