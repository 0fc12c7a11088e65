(require '[clojure.string :as string])

(def matrix
  (vec (for [line (string/split-lines (string/trim (slurp "matrix.txt")))]
         (mapv parse-long (string/split (string/trim line) #",")))))

(def goal [(dec (count matrix)) (dec (count matrix))])

(defn neighbours [[row column]]
  (filter #(get-in matrix %)
          [[(dec row) column] [(inc row) column] [row (dec column)] [row (inc column)]]))

;; Dijkstra: cells leave the queue, a sorted set of [sum cell], in the order of their smallest sums.
(loop [queue (sorted-set [(get-in matrix [0 0]) [0 0]])
       done #{}]
  (let [[sum cell :as visit] (first queue)
        queue (disj queue visit)]
    (cond
      (= cell goal) (println sum)
      (done cell) (recur queue done)
      :else (recur (into queue (for [other (remove done (neighbours cell))]
                                 [(+ sum (get-in matrix other)) other]))
                   (conj done cell)))))
