(defn next-expansion
  "One more fraction turns n/d into 1 + 1/(1 + n/d), which is in lowest terms if n/d is."
  [[n d]]
  [(+ n d d) (+ n d)])

(defn longer-numerator? [[n d]]
  (> (count (str n)) (count (str d))))

(println (->> (iterate next-expansion [3N 2N])
              (take 1000)
              (filter longer-numerator?)
              count))
