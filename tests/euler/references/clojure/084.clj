(def die 4)
(def go 0)
(def jail 10)
(def go-to-jail 30)
(def chest #{2 17 33})
(def chance #{7 22 36})
(def railways [5 15 25 35])
(def utilities [12 28])

(defn following [square kind]
  (or (first (filter #(> % square) kind)) (first kind)))

(defn ends
  "Where a player who comes to `square` ends the turn: pairs of square and probability."
  [square]
  (cond
    (= square go-to-jail) [[jail 1.0]]
    (chest square) [[go 1/16] [jail 1/16] [square 14/16]]
    (chance square) (concat (for [end [go jail 11 24 39 5]] [end 1/16])
                            [[(following square railways) 2/16]
                             [(following square utilities) 1/16]
                             [square 6/16]]
                            (for [[end probability] (ends (- square 3))]
                              [end (* probability 1/16)]))
    :else [[square 1.0]]))

;; A Markov chain whose states are a square and the number of doubles in a row (0, 1 or 2).
(defn moves [[square doubles]]
  (apply merge-with +
         (for [a (range 1 (inc die))
               b (range 1 (inc die))
               :let [streak (if (= a b) (inc doubles) 0)]
               [end probability] (if (= streak 3) [[jail 1.0]] (ends (mod (+ square a b) 40)))]
           {[end (mod streak 3)] (double (/ probability (* die die)))})))

(def moves-from (memoize moves))

(defn turn [shares]
  (apply merge-with +
         (for [[state share] shares
               [after probability] (moves-from state)]
           {after (* share probability)})))

(def shares (nth (iterate turn {[go 0] 1.0}) 150))

(def squares
  (apply merge-with + (for [[[square _] share] shares] {square share})))

(println (apply str (map #(format "%02d" %) (take 3 (sort-by (comp - squares) (keys squares))))))
