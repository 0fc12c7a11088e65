;; The smallest number that each of 1 to 20 divides.

(defn gcd [a b]
  (if (zero? b) a (recur b (mod a b))))

(defn lcm [a b]
  (* b (quot a (gcd a b))))

(println (reduce lcm (range 1 21)))
