;; The d below 1000 whose reciprocal repeats the longest block, by long division.

(def limit 1000)

(defn block-length [divisor]
  (loop [remainder 1, step 0, seen {}] ; seen: remainder -> step at which it came up
    (cond
      (zero? remainder) 0
      (seen remainder) (- step (seen remainder))
      :else (recur (rem (* 10 remainder) divisor) (inc step) (assoc seen remainder step)))))

(println (apply max-key block-length (range 2 limit)))
