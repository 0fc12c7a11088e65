(def target 100)

(defn with-summand
  "Given the numbers of sums for 0, 1, 2, ... from smaller summands, those that may also use `summand`."
  [ways summand]
  (reduce (fn [ways n] (update ways n + (ways (- n summand))))
          ways
          (range summand (inc target))))

(def ways
  (reduce with-summand
          (into [1] (repeat target 0))
          (range 1 target)))

(println (ways target))
