(defn digit-sum [n]
  (reduce + (map #(- (int %) (int \0)) (str n))))

(println (apply max (for [a (range 1 100)
                          power (take 99 (iterate #(*' a %) a))]
                      (digit-sum power))))
