(def largest-k 12000)

;; Factors greater than 1 with a given product and sum become k numbers with that sum and product when they are
;; filled up with product - sum ones. m(k) <= 2k, since 2 * k * 1 * ... * 1 = 2 + k + (k - 2).
(def smallest (long-array (map #(* 2 %) (range (inc largest-k)))))

(defn search
  "Multiply by further factors, none of them smaller than `factor`."
  [product sum number-of-factors factor]
  (let [^longs smallest smallest]
    (loop [factor (long factor)]
      (let [new-product (* (long product) factor)
            new-sum (+ (long sum) factor)
            k (+ (long number-of-factors) 1 (- new-product new-sum))]
        (when (<= new-product (* 2 largest-k))
          (when (and (pos? number-of-factors) (<= k largest-k))
            (aset smallest k (min (aget smallest k) new-product)))
          (search new-product new-sum (inc number-of-factors) factor)
          (recur (inc factor)))))))

(search 1 0 0 2)
(println (reduce + (distinct (drop 2 smallest))))
