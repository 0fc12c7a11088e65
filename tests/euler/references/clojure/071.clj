(def limit 1000000)

;; For each denominator the best numerator is the largest a with a/b < 3/7.
(loop [b 1, best-a 0, best-b 1]
  (if (> b limit)
    (println best-a)
    (let [a (quot (dec (* 3 b)) 7)]
      (if (> (* a best-b) (* best-a b))
        (recur (inc b) a b)
        (recur (inc b) best-a best-b)))))
