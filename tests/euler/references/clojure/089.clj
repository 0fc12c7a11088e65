(require '[clojure.string :as string])

(def values {\I 1, \V 5, \X 10, \L 50, \C 100, \D 500, \M 1000})

(def parts
  [[1000 "M"] [900 "CM"] [500 "D"] [400 "CD"] [100 "C"] [90 "XC"] [50 "L"] [40 "XL"]
   [10 "X"] [9 "IX"] [5 "V"] [4 "IV"] [1 "I"]])

(defn value [numeral]
  (let [numbers (map values numeral)]
    (reduce + (map (fn [number following] (if (< number following) (- number) number))
                   numbers
                   (concat (rest numbers) [0])))))

(defn shortest [number]
  (when-let [[worth letters] (first (filter #(<= (first %) number) parts))]
    (str letters (shortest (- number worth)))))

(def numerals (string/split (string/trim (slurp "roman.txt")) #"\s+"))

(println (reduce + (map #(- (count %) (count (shortest (value %)))) numerals)))
