(defn smallest-x
  "The least x with x*x - d*y*y = 1: the first convergent x/y of the square root of d that solves it."
  [d root]
  (loop [m 0, q 1, term root
         x-before 1N, x (bigint root)
         y-before 0N, y 1N]
    (if (= 1 (- (* x x) (* d y y)))
      x
      (let [m (- (* q term) m)
            q (quot (- d (* m m)) q)
            term (quot (+ root m) q)]
        (recur m q term
               x (+ (* term x) x-before)
               y (+ (* term y) y-before))))))

(def smallest-xs
  (for [d (range 1 1001)
        :let [root (long (Math/sqrt d))]
        :when (not= d (* root root))]
    [(smallest-x d root) d]))

(println (second (last (sort smallest-xs))))
