;; The sum of the digits of 2 to the power of 1000.

(defn digits [number]
  (map #(Character/digit % 10) (str number)))

(println (reduce + (digits (.shiftLeft BigInteger/ONE 1000))))
