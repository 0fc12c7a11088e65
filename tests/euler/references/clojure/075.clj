(def limit 1500000)

(defn gcd ^long [^long a ^long b]
  (if (zero? b) a (recur b (rem a b))))

;; Euclid: for coprime m > n > 0 of different parity, the primitive triangle has perimeter 2m(m + n).
(def primitive-perimeters
  (for [m (take-while #(<= (* 2 % (inc %)) limit) (iterate inc 2))
        n (range (if (even? m) 1 2) m 2)
        :let [perimeter (* 2 m (+ m n))]
        :while (<= perimeter limit)
        :when (= 1 (gcd m n))]
    perimeter))

(def ways (int-array (inc limit)))

(doseq [primitive primitive-perimeters
        perimeter (range primitive (inc limit) primitive)]
  (aset ^ints ways perimeter (inc (aget ^ints ways perimeter))))

(println (count (filter #{1} ways)))
