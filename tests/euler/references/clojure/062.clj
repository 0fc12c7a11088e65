(def wanted 5)

(defn digits [n]
  (sort (str n)))

(def cubes-by-length
  (partition-by #(count (str %)) (map #(* % % %) (rest (range)))))

(defn smallest-of-a-family
  "The smallest of these cubes that has exactly the wanted number of arrangements among them."
  [cubes]
  (->> (vals (group-by digits cubes))
       (filter #(= wanted (count %)))
       (map first)
       sort
       first))

(println (some smallest-of-a-family cubes-by-length))
