;; The sum of the positive integers that are not a sum of two abundant numbers.

(def limit 28123) ; all integers above it are such sums

(defn sum-of-proper-divisors [^long number]
  (loop [divisor 2, total (if (= number 1) 0 1)]
    (let [square (* divisor divisor)]
      (cond
        (> square number) total
        (= square number) (+ total divisor)
        (zero? (rem number divisor)) (recur (inc divisor) (+ total divisor (quot number divisor)))
        :else (recur (inc divisor) total)))))

(def abundant
  (filterv #(> (sum-of-proper-divisors %) %) (range 1 (inc limit))))

(defn sums
  "Which integers up to the limit are a sum of two of the numbers (in increasing order)."
  ^booleans [^longs numbers ^long limit]
  (let [found (boolean-array (inc limit))
        size (alength numbers)]
    (dotimes [i size]
      (loop [j i]
        (when (< j size)
          (let [sum (+ (aget numbers i) (aget numbers j))]
            (when (<= sum limit)
              (aset found sum true)
              (recur (inc j)))))))
    found))

(let [sum? (sums (long-array abundant) limit)]
  (println (reduce + (remove #(aget sum? %) (range 1 (inc limit))))))
