(defn pentagonal?
  "p = n(3n-1)/2 exactly when 24p + 1 is the square of 6n - 1."
  [p]
  (let [square (inc (* 24 p))
        root (Math/round (Math/sqrt square))]
    (and (= (* root root) square) (= (rem root 6) 5))))

;; Every hexagonal number is triangular: n(2n-1) is the triangle number of 2n-1.
(println (->> (iterate inc 144)
              (map #(* % (dec (* 2 %))))
              (filter pentagonal?)
              first))
