;; The sum of all numbers of at least two digits that equal the sum of their digits' factorials.

(def factorials (long-array (reductions * 1 (range 1 10))))

;; Eight digits give 8 * 9! = 2903040 at most, which has seven: no number has more than seven digits.
(def limit (* 7 (aget factorials 9)))

(defn digit-factorial-sum [^long number ^longs factorials]
  (loop [rest number, sum 0]
    (if (zero? rest)
      sum
      (recur (quot rest 10) (+ sum (aget factorials (rem rest 10)))))))

(println (reduce + (filter #(= % (digit-factorial-sum % factorials)) (range 10 (inc limit)))))
