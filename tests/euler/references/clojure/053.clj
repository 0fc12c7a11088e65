(defn next-row
  "The row of Pascal's triangle below this one."
  [row]
  (concat [1N] (map +' row (rest row)) [1N]))

(println (->> (iterate next-row [1N])
              rest
              (take 100)
              (apply concat)
              (filter #(> % 1000000))
              count))
