(require '[clojure.string :as string])

(def words
  (distinct (string/split (string/replace (string/trim (slurp "words.txt")) "\"" "") #",")))

(def squares-of-length
  (memoize
   (fn [length]
     (->> (iterate inc 1)
          (map #(str (* % %)))
          (drop-while #(< (count %) length))
          (take-while #(= (count %) length))
          set))))

(defn replacement
  "The letters' digits that turn `word` into `square`, or nil."
  [word square]
  (let [digits (zipmap word square)]
    (when (and (= (count digits) (count (set (vals digits))))
               (= (map digits word) (seq square)))
      digits)))

(def squares
  (for [group (vals (group-by sort words))
        word group
        other group
        :when (not= word other)
        :let [known (squares-of-length (count word))]
        square known
        :let [digits (replacement word square)]
        :when (and digits (known (apply str (map digits other))))]
    (parse-long square)))

(println (reduce max squares))
