(def terms
  "The terms after the 2 at the front: 1, 2, 1, 1, 4, 1, 1, 6, 1, ..."
  (mapcat (fn [k] [1 (* 2 k) 1]) (rest (range))))

(defn next-numerator
  "The numerators follow h(i) = term(i) * h(i-1) + h(i-2), and are in lowest terms."
  [[before numerator] term]
  [numerator (+ (* term numerator) before)])

(defn digit-sum [n]
  (reduce + (map #(- (int %) (int \0)) (str n))))

(println (digit-sum (second (reduce next-numerator [1N 2N] (take 99 terms)))))
