(def modulus 1000000)

;; Euler: p(n) = p(n-1) + p(n-2) - p(n-5) - p(n-7) + ..., with the pentagonal numbers k(3k-1)/2 and k(3k+1)/2
;; for k = 1, 2, ..., whose terms are added for odd k and subtracted for even k.
(defn next-partitions
  "p(n) modulo `modulus`, from p(0), ..., p(n-1) in the array."
  ^long [^ints p ^long n]
  (loop [k 1, total 0]
    (let [lower (quot (* k (dec (* 3 k))) 2)
          upper (+ lower k)]
      (if (> lower n)
        (long (mod total modulus))
        (let [term (+ (aget p (- n lower))
                      (if (<= upper n) (long (aget p (- n upper))) 0))]
          (recur (inc k) (if (odd? k) (+ total term) (- total term))))))))

(defn first-divisible
  "The smallest n up to `limit` for which p(n) is zero modulo `modulus`, or nil."
  [limit]
  (let [p (int-array (inc limit))]
    (aset p 0 1)
    (loop [n 1]
      (when (<= n limit)
        (let [value (next-partitions p n)]
          (aset p n (int value))
          (if (zero? value) n (recur (inc n))))))))

(println (some first-divisible (iterate #(* 2 %) 10000)))
