(def digits 100)

(defn integer-root
  "The largest integer whose square is at most n, by Newton's method."
  [n]
  (loop [root n]
    (let [better (quot (+ root (quot n root)) 2)]
      (if (< better root) (recur better) root))))

(defn digit-sum [n]
  (reduce + (map #(Character/digit ^char % 10) (str n))))

;; One digit stands before the point: shift the other 99 in front of it as well.
(def shift (.pow (biginteger 100) (dec digits)))

(println
 (reduce + (for [n (range 1 101)
                 :let [root (integer-root n)]
                 :when (not= n (* root root))]
             (digit-sum (integer-root (*' n (bigint shift)))))))
