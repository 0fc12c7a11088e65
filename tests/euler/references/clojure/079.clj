(require '[clojure.string :as string])

(def logins (distinct (map seq (string/split-lines (string/trim (slurp "keylog.txt"))))))

(defn complete
  "A sequence of at most `length` digits that has each of `rests` as a subsequence, or nil."
  [rests length]
  (let [rests (filter seq rests)]
    (cond
      (empty? rests) ""
      ;; each digit that is still wanted takes at least one place
      (> (count (set (apply concat rests))) length) nil
      :else (some (fn [digit]
                    (let [after (map #(if (= digit (first %)) (rest %) %) rests)
                          end (complete after (dec length))]
                      (when end (str digit end))))
                  (distinct (map first rests))))))

(println (some #(complete logins %) (iterate inc 1)))
