(require '[clojure.string :as str])

(defn reversed [n]
  (bigint (str/reverse (str n))))

(defn lychrel? [n]
  (->> (iterate #(+ % (reversed %)) (bigint n))
       rest
       (take 50)
       (not-any? #(= % (reversed %)))))

(println (count (filter lychrel? (range 1 10000))))
