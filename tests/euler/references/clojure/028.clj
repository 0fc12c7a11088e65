;; The sum of the numbers on the diagonals of a spiral of 1001 x 1001 cells.

(def size 1001)

;; Each ring has four corners, one less than its side apart.
(def distances
  (mapcat #(repeat 4 (dec %)) (range 3 (inc size) 2)))

(println (reduce + (reductions + 1 distances)))
