(defn period
  "The length of the repeating block of the continued fraction of the square root of n; 0 for a square.
  Each remainder is (sqrt(n) + m) / d; the block ends with the term 2 * floor(sqrt(n))."
  ^long [^long n]
  (let [root (long (Math/sqrt n))]
    (if (= n (* root root))
      0
      (loop [m 0, d 1, term root, length 0]
        (if (= term (* 2 root))
          length
          (let [m (- (* d term) m)
                d (quot (- n (* m m)) d)]
            (recur m d (quot (+ root m) d) (inc length))))))))

(println (count (filter #(odd? (period %)) (range 1 10001))))
