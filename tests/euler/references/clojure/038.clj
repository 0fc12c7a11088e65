(defn concatenated-product
  "The products of x with 1, 2, ... (two at least) until together they have nine digits or more."
  [x]
  (->> (rest (range))
       (reductions (fn [joined n] (str joined (* n x))) "")
       (drop 2)
       (drop-while #(< (count %) 9))
       first))

(defn pandigital? [digits]
  (= (sort digits) (seq "123456789")))

;; From x = 10000 on, two products have ten digits already.
(println (->> (range 1 10000)
              (map concatenated-product)
              (filter pandigital?)
              (map parse-long)
              (apply max)))
