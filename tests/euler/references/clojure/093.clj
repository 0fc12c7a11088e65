(defn splits
  "All ways to divide a list of at least two digits into two lists, neither of them empty."
  [digits]
  (for [mask (range 1 (dec (bit-shift-left 1 (count digits))))
        :let [side (group-by #(bit-test mask (first %)) (map-indexed vector digits))]]
    [(map second (side true)) (map second (side false))]))

(def values
  "The set of all values of expressions that use each of the digits once."
  (memoize
   (fn [digits]
     (if (= 1 (count digits))
       (set digits)
       (set (for [[left right] (splits digits)
                  a (values left)
                  b (values right)
                  value [(+ a b) (- a b) (* a b) (when-not (zero? b) (/ a b))]
                  :when value]
              value))))))

(defn run-length [digits]
  (count (take-while (values digits) (iterate inc 1))))

(def choices
  (for [a (range 10)
        b (range (inc a) 10)
        c (range (inc b) 10)
        d (range (inc c) 10)]
    (list a b c d)))

(println (apply str (apply max-key run-length choices)))
