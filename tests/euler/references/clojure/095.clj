(def limit 1000000)

(def divisor-sum (int-array (inc limit)))

(defn fill-divisor-sums []
  (let [^ints sums divisor-sum]
    (loop [divisor 1]
      (when (<= (* 2 divisor) limit)
        (loop [multiple (* 2 divisor)]
          (when (<= multiple limit)
            (aset sums multiple (+ divisor (aget sums multiple)))
            (recur (+ multiple divisor))))
        (recur (inc divisor))))))

(defn chain
  "The closed chain through n, as a list that begins with n."
  [n]
  (cons n (take-while #(not= n %) (rest (iterate #(aget ^ints divisor-sum %) n)))))

(defn longest-chain []
  (let [^ints sums divisor-sum
        seen-from (int-array (inc limit))] ; the start that was the first to meet a number
    (loop [start 2, longest []]
      (if (> start limit)
        longest
        (let [end (long (loop [n start]
                          (if (and (<= 1 n limit) (zero? (aget seen-from n)))
                            (do
                              (aset seen-from n start)
                              (recur (long (aget sums n))))
                            n)))
              back? (and (<= 1 end limit) (= start (aget seen-from end)))
              found (if back? (chain end) [])]
          (recur (inc start) (if (> (count found) (count longest)) found longest)))))))

(fill-divisor-sums)
(println (reduce min (longest-chain)))
