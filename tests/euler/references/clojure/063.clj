(defn n-digits? [a n]
  (= n (count (str (.pow (biginteger a) n)))))

;; 10^n has n + 1 digits, so a is at most 9; and 9^n has fewer than n digits from n = 22 on.
(println (count (for [n (take-while #(n-digits? 9 %) (rest (range)))
                      a (range 1 10)
                      :when (n-digits? a n)]
                  [a n])))
