;; The number of letters in the English names of 1 to 1000.

(require '[clojure.string :as string])

(def small ; nothing is said for 0
  ["" "one" "two" "three" "four" "five" "six" "seven" "eight" "nine" "ten" "eleven" "twelve" "thirteen"
   "fourteen" "fifteen" "sixteen" "seventeen" "eighteen" "nineteen"])

(def tens
  ["" "" "twenty" "thirty" "forty" "fifty" "sixty" "seventy" "eighty" "ninety"])

(defn words [number]
  (cond
    (= number 1000)
    "one thousand"

    (>= number 100)
    (str (small (quot number 100))
         " hundred"
         (when (pos? (rem number 100))
           (str " and " (words (rem number 100)))))

    (>= number 20)
    (str (tens (quot number 10)) " " (small (rem number 10)))

    :else
    (small number)))

(defn letters [number]
  (count (string/replace (words number) " " "")))

(println (reduce + (map letters (range 1 1001))))
