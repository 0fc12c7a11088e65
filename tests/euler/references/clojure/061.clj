(def polygonal
  {:triangular #(quot (* % (inc %)) 2)
   :square #(* % %)
   :pentagonal #(quot (* % (dec (* 3 %))) 2)
   :hexagonal #(* % (dec (* 2 %)))
   :heptagonal #(quot (* % (- (* 5 %) 3)) 2)
   :octagonal #(* % (- (* 3 %) 2))})

(defn four-digits [formula]
  (filter #(<= 1000 % 9999) (map formula (range 1 150))))

(def numbers-of-kind
  "Kind -> first two digits -> the kind's four-digit numbers."
  (update-vals polygonal #(group-by (fn [n] (quot n 100)) (four-digits %))))

(defn cycles
  "Every way to go on after the chain with one number of each of the kinds and to close the cycle."
  [chain kinds]
  (if (empty? kinds)
    (when (= (rem (peek chain) 100) (quot (first chain) 100))
      [chain])
    (for [kind kinds
          number (get-in numbers-of-kind [kind (rem (peek chain) 100)])
          :when (not-any? #{number} chain)
          found (cycles (conj chain number) (disj kinds kind))]
      found)))

;; A cycle has no first member: begin with the octagonal number.
(doseq [octagonal (four-digits (polygonal :octagonal))
        found (cycles [octagonal] (disj (set (keys polygonal)) :octagonal))]
  (println (reduce + found)))
