(def digits 7)

(defn successor [n]
  (reduce + (map #(let [digit (Character/digit ^char % 10)] (* digit digit)) (str n))))

(defn leads-to-89? [n]
  (case (long n)
    0 false
    1 false
    89 true
    (recur (successor n))))

(defn one-digit-more
  "How many numbers have each sum of squares when one more digit is put in front."
  [counts]
  (apply merge-with +
         (for [[total number] counts
               digit (range 10)]
           {(+ total (* digit digit)) number})))

;; Numbers of up to seven digits, with leading zeros, by their sums of squares.
(def counts (nth (iterate one-digit-more {0 1}) digits))

(println (reduce + (for [[total number] counts
                         :when (leads-to-89? total)]
                     number)))
