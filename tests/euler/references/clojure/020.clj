;; The sum of the digits of the factorial of 100.

(defn digits [number]
  (map #(Character/digit % 10) (str number)))

(def factorial
  (reduce *' (range 1 101)))

(println (reduce + (digits (biginteger factorial))))
