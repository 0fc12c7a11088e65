(def limit 1000000)
(def largest (* 7 362880)) ; no number of up to seven digits leads higher
(def wanted 60)
(def factorials (long-array (reductions * 1 (range 1 10))))

(defn successor ^long [^long start]
  (let [^longs factorials factorials]
    (loop [n start, total 0]
      (if (zero? n)
        total
        (recur (quot n 10) (+ total (aget factorials (rem n 10))))))))

(defn count-starts []
  (let [stamp (int-array (inc largest))] ; the start that was the last to meet a number
    (loop [start 1, total 0]
      (if (= start limit)
        total
        (let [length (long (loop [n start, length 0]
                             (if (= start (aget stamp n))
                               length
                               (do
                                 (aset stamp n start)
                                 (recur (successor n) (inc length))))))]
          (recur (inc start) (if (= length wanted) (inc total) total)))))))

(println (count-starts))
