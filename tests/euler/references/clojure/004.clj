;; The largest palindrome among the products of two factors of three digits.

(defn palindrome? [^long number]
  (loop [rest number, reversed 0]
    (if (zero? rest)
      (= reversed number)
      (recur (quot rest 10) (+ (* 10 reversed) (rem rest 10))))))

(println (reduce max (for [a (range 100 1000)
                           b (range a 1000)
                           :let [product (* a b)]
                           :when (palindrome? product)]
                       product)))
