(def limit 12000)

;; The fractions between two neighbours a/b and c/d of a Farey sequence are got by inserting (a + c)/(b + d),
;; each once and in lowest terms. Counting from the left, with the right neighbours kept on a stack:
(loop [left 3, stack (list 2), total 0] ; denominators
  (if (empty? stack)
    (println total)
    (let [between (+ left (first stack))]
      (if (<= between limit)
        (recur left (conj stack between) (inc total))
        (recur (first stack) (rest stack) total)))))
