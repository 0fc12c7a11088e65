(def limit 10000000)

(def phi (int-array limit))

(defn fill-phi []
  (let [^ints phi phi]
    (dotimes [n limit]
      (aset phi n n))
    (loop [p 2]
      (when (< p limit)
        (when (= p (aget phi p)) ; untouched so far: a prime
          (loop [multiple p]
            (when (< multiple limit)
              (let [value (aget phi multiple)]
                (aset phi multiple (- value (quot value p))))
              (recur (+ multiple p)))))
        (recur (inc p))))))

(defn same-digits? [a b]
  (= (frequencies (str a)) (frequencies (str b))))

(defn best-permutation []
  (let [^ints phi phi]
    (loop [n 2, best 0, best-phi 0]
      (if (= n limit)
        best
        (let [phi-n (aget phi n)]
          (if (and (or (zero? best) (< (* n best-phi) (* best phi-n)))
                   ;; equal digits have equal sums, hence equal remainders
                   (= (rem n 9) (rem phi-n 9))
                   (same-digits? n phi-n))
            (recur (inc n) n (long phi-n))
            (recur (inc n) best best-phi)))))))

(fill-phi)
(println (best-permutation))
