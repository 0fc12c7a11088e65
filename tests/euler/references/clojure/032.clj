;; The sum of the products c = a * b that, with their factors, use each of the digits 1 to 9 once.
;;
;; With a below b the factors have 1 and 4 or 2 and 3 digits, and the product has four: other splits of
;; nine digits cannot be balanced.

(defn pandigital? [text]
  (= (sort text) (seq "123456789")))

(def products
  (for [a (range 1 100)
        b (range (inc a) (inc (quot 9999 a)))
        :when (pandigital? (str a b (* a b)))]
    (* a b)))

(println (reduce + (distinct products)))
