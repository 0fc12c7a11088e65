;; The number of ways to pay 200 pence.

(def coins [200 100 50 20 10 5 2 1])

(defn ways
  "The ways to pay an amount with coins in decreasing order, the last of which is 1."
  [amount [coin & smaller]]
  (if (empty? smaller)
    1
    (reduce + (for [rest (range amount -1 (- coin))]
                (ways rest smaller)))))

(println (ways 200 coins))
