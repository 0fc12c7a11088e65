;; The sum of all numbers of at least two digits that equal the sum of their digits' fifth powers.

(def powers (long-array (for [digit (range 10)] (reduce * (repeat 5 digit)))))

;; Seven digits give 7 * 9^5 = 413343 at most, which has six: no number has more than six digits.
(def limit (* 6 (aget powers 9)))

(defn digit-power-sum [^long number ^longs powers]
  (loop [rest number, sum 0]
    (if (zero? rest)
      sum
      (recur (quot rest 10) (+ sum (aget powers (rem rest 10)))))))

(println (reduce + (filter #(= % (digit-power-sum % powers)) (range 10 (inc limit)))))
