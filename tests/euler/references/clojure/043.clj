(def divisors [2 3 5 7 11 13 17])

(defn with-digit-in-front
  "The tails (lists of digits) with one more digit, so that the first three digits can be divided."
  [tails divisor]
  (for [[b c :as tail] tails
        a (range 10)
        :when (and (not-any? #{a} tail)
                   (zero? (rem (+ (* 100 a) (* 10 b) c) divisor)))]
    (cons a tail)))

(def tails
  "The last nine digits."
  (reduce with-digit-in-front
          (for [a (range 10), b (range 10) :when (not= a b)] (list a b))
          (reverse divisors)))

(defn number [digits]
  (reduce #(+ (* 10 %1) %2) digits))

(println (reduce + (for [tail tails
                         a (range 1 10)
                         :when (not-any? #{a} tail)]
                     (number (cons a tail)))))
