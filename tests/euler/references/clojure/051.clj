(def wanted 8)

(defn prime? [^long n]
  (and (> n 1)
       (loop [d 2]
         (cond
           (> (* d d) n) true
           (zero? (rem n d)) false
           :else (recur (inc d))))))

(defn subsets [places]
  (reduce (fn [sets place] (into sets (map #(conj % place) sets))) [#{}] places))

(defn star-sets
  "The non-empty sets of places with the same digit, where a pattern of the number can have its stars."
  [digits]
  (->> (group-by digits (range (count digits)))
       vals
       (mapcat subsets)
       (remove empty?)))

(defn family-size [digits stars]
  (let [starred (reduce #(assoc %1 %2 nil) digits stars)
        value (fn [digit] (reduce #(+ (* 10 %1) (or %2 digit)) 0 starred))]
    (->> (range (if (stars 0) 1 0) 10) ; no leading zero
         (filter #(prime? (value %)))
         count)))

(defn in-a-family? [n]
  (let [digits (mapv #(Character/digit (char %) 10) (str n))]
    (some #(= wanted (family-size digits %)) (star-sets digits))))

(println (first (filter in-a-family? (filter prime? (range)))))
