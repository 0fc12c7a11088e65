(defn prime? [^long n]
  (and (> n 1)
       (loop [d 2]
         (cond
           (> (* d d) n) true
           (zero? (rem n d)) false
           :else (recur (inc d))))))

(defn largest-prime
  "The largest prime that goes on after the prefix with all of the digits, which fall; nil if none."
  [prefix digits]
  (if (empty? digits)
    (when (prime? prefix) prefix)
    (some (fn [digit] (largest-prime (+ (* 10 prefix) digit) (remove #{digit} digits)))
          digits)))

(defn multiple-of-3? [digits]
  (zero? (rem (reduce + digits) 3)))

;; Numbers with these digits have the same digit sum, whatever the order: most lengths have no prime.
(println (->> (range 9 0 -1)
              (map #(range % 0 -1))
              (remove multiple-of-3?)
              (some #(largest-prime 0 %))))
