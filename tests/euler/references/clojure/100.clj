(def limit 1000000000000)

;; b blue discs of n: 2b(b - 1) = n(n - 1), or with x = 2n - 1 and y = 2b - 1: x^2 - 2y^2 = -1. The
;; solutions of this Pell equation come from (1, 1) by (x, y) -> (3x + 4y, 2x + 3y); x and y stay odd.
(def solutions
  (iterate (fn [[x y]] [(+ (* 3 x) (* 4 y)) (+ (* 2 x) (* 3 y))]) [1 1]))

(def boxes
  (for [[x y] solutions]
    {:discs (quot (inc x) 2), :blue (quot (inc y) 2)}))

(println (:blue (first (filter #(> (:discs %) limit) boxes))))
