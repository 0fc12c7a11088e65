;; Walks through a grid of 20 x 20 cells: each crossing is reached from the left or from above.

(def size 20)

(def top-line (repeat (inc size) 1))

;; The walks to the crossings of a line are the running totals of those to the line above.
(println (last (nth (iterate #(reductions + %) top-line) size)))
