(require '[clojure.string :as str])

(def rows
  (->> (slurp "triangle.txt")
       str/split-lines
       (remove str/blank?)
       (map (fn [line] (map parse-long (re-seq #"\d+" line))))))

(defn best-totals
  "The best totals downwards from each place of a row, given those of the row below."
  [below row]
  (map + row (map max below (rest below))))

(println (first (reduce best-totals (reverse rows))))
