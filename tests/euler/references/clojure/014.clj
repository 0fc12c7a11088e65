;; The start below one million of the longest chain n -> n/2 (even), 3n + 1 (odd) down to 1.

(def limit 1000000)

(defn steps-until-known
  "From a start to the first number below it: the steps taken, and that number."
  [^long start]
  (loop [n start, steps 0]
    (cond
      (< n start) [steps n]
      (even? n) (recur (quot n 2) (inc steps))
      :else (recur (inc (* 3 n)) (inc steps)))))

(defn chain-lengths
  "An array with the number of terms from each start below the limit."
  ^ints [limit]
  (let [lengths (int-array limit)]
    (aset lengths 1 1)
    (doseq [start (range 2 limit)]
      (let [[steps n] (steps-until-known start)]
        (aset lengths start (int (+ steps (aget lengths n))))))
    lengths))

(let [lengths (chain-lengths limit)]
  (println (apply max-key #(aget lengths %) (range 1 limit))))
