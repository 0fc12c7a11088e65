(defn prime? [^long n]
  (and (> n 1)
       (loop [d 2]
         (cond
           (> (* d d) n) true
           (zero? (rem n d)) false
           :else (recur (inc d))))))

(def families
  "The primes of four digits, those with the same digits together."
  (->> (range 1000 10000)
       (filter prime?)
       (group-by #(sort (str %)))
       vals))

(doseq [family families
        a family
        b family
        :let [c (- (+ b b) a)]
        :when (and (< a b) (not= a 1487) (some #{c} family))]
  (println (str a b c)))
