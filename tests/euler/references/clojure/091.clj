(def size 50)

(defn gcd [a b]
  (if (zero? b) a (recur b (rem a b))))

;; Right angle at the origin: P on one axis, Q on the other. Right angle on an axis: P on it, Q off it in the
;; direction of the other axis. That makes three times size * size.
(def on-axes (* 3 size size))

;; Right angle at P = (x, y) off the axes: Q is reached from P by steps of (y, -x) / gcd(x, y), in either
;; direction, as long as the grid lasts.
(defn off-axes [x y]
  (let [divisor (gcd x y)
        step-x (quot y divisor)
        step-y (quot x divisor)]
    (+ (min (quot (- size x) step-x) (quot y step-y))
       (min (quot x step-x) (quot (- size y) step-y)))))

(println (reduce + on-axes (for [x (range 1 (inc size))
                                 y (range 1 (inc size))]
                             (off-axes x y))))
