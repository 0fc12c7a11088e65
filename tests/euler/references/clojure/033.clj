;; The denominator, in lowest terms, of the product of the fractions that a false cancelling leaves right.

(defn splits
  "A number of two digits as pairs: the digit to strike out, and the one that is left."
  [number]
  (let [ten (quot number 10), one (rem number 10)]
    [[ten one] [one ten]]))

(defn qualifies? [numerator denominator]
  (some true? (for [[digit above] (splits numerator)
                    [other below] (splits denominator)
                    :when (and (= digit other) (pos? digit) (pos? below))]
                (= (/ numerator denominator) (/ above below)))))

(def fractions
  (for [denominator (range 10 100)
        numerator (range 10 denominator)
        :when (qualifies? numerator denominator)]
    (/ numerator denominator)))

(println (str (denominator (reduce * fractions))))
