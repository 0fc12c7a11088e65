(require '[clojure.string :as str])

(defn palindrome? [text]
  (= text (str/reverse text)))

(println (->> (range 1 1000000)
              (filter #(and (palindrome? (str %)) (palindrome? (Long/toString % 2))))
              (reduce +)))
