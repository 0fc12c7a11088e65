(def limit 1000)

(def perimeters
  "The perimeter of each right triangle within the limit."
  (for [a (range 1 (quot limit 3))
        b (range a (- limit a))
        :let [square (+ (* a a) (* b b))
              c (Math/round (Math/sqrt square))]
        :when (and (= (* c c) square) (<= (+ a b c) limit))]
    (+ a b c)))

(println (key (apply max-key val (frequencies perimeters))))
