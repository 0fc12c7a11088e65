(def limit 1000000)

;; For each denominator b there are phi(b) numerators.
(defn count-fractions []
  (let [phi (int-array (range (inc limit)))]
    (loop [b 2, total 0]
      (if (> b limit)
        total
        (do
          (when (= b (aget phi b)) ; untouched so far: a prime
            (loop [multiple b]
              (when (<= multiple limit)
                (let [value (aget phi multiple)]
                  (aset phi multiple (- value (quot value b))))
                (recur (+ multiple b)))))
          (recur (inc b) (+ total (aget phi b))))))))

(println (count-fractions))
