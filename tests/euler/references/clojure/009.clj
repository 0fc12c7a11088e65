;; The product of the one Pythagorean triple whose sum is 1000.

(def sum 1000)

(println (first (for [a (range 1 (quot sum 3))
                      b (range (inc a) (quot (- sum a) 2))
                      :let [c (- sum a b)]
                      :when (= (+ (* a a) (* b b)) (* c c))]
                  (* a b c))))
