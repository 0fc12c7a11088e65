;; The millionth arrangement of the ten digits, found digit by digit in the factorial number system.

(def position 1000000)

(defn factorial [n]
  (reduce * (range 1 (inc n))))

(defn arrangement
  "The arrangement of some digits at an index, counted from 0, as a sequence."
  [digits index]
  (when (seq digits)
    (let [block (factorial (dec (count digits))) ; arrangements that begin alike
          digit (nth digits (quot index block))]
      (cons digit (arrangement (remove #{digit} digits) (rem index block))))))

(println (apply str (arrangement (range 10) (dec position))))
