;; The square of the sum of 1 to 100, less the sum of the squares.

(defn square [n]
  (* n n))

(let [numbers (range 1 101)]
  (println (- (square (reduce + numbers))
              (reduce + (map square numbers)))))
