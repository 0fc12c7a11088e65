(def limit 1000000000)

;; Halve the triangle a, a, a + e along its height h: (2a)^2 - (a + e)^2 = (2h)^2. With x = (3a - e) / 2 and
;; y = h this is x^2 - 3y^2 = 1, whose solutions come from (2, 1) by (x, y) -> (2x + 3y, x + 2y).
(def xs
  (->> [2 1]
       (iterate (fn [[x y]] [(+ (* 2 x) (* 3 y)) (+ x (* 2 y))]))
       (map first)
       (take-while #(<= (- (* 2 %) 2) limit))))

(def perimeters
  (for [x xs
        e [-1 1]
        :when (zero? (rem (+ (* 2 x) e) 3))
        :let [a (quot (+ (* 2 x) e) 3)
              perimeter (+ (* 3 a) e)]
        :when (and (pos? (+ a e)) (<= perimeter limit))] ; 1, 1, 0 is no triangle
    perimeter))

(println (reduce + perimeters))
