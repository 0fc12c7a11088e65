(def limit 50000000)

(defn prime? [n]
  (every? #(pos? (rem n %)) (take-while #(<= (* % %) n) (range 2 n))))

(def primes (filter prime? (range 2 (inc (long (Math/sqrt limit))))))

(defn powers [exponent]
  (take-while #(< % limit) (map #(long (Math/pow % exponent)) primes)))

(def squares (long-array (powers 2)))

(defn mark
  "Mark `start` plus each square."
  [^java.util.BitSet reached ^long start]
  (let [^longs squares squares]
    (loop [index 0]
      (when (< index (alength squares))
        (let [total (+ start (aget squares index))]
          (when (< total limit)
            (.set reached total)
            (recur (inc index))))))))

(let [reached (java.util.BitSet. limit)]
  (doseq [fourth (powers 4)
          cube (powers 3)]
    (mark reached (+ fourth cube)))
  (println (.cardinality reached)))
