;; The first triangular number with more than 500 divisors.

(def divisors 500)

(defn divisor-count [^long number]
  (loop [rest number, divisor 2, exponent 0, total 1]
    (cond
      (> (* divisor divisor) rest)
      (cond
        (= rest 1) (* total (inc exponent))
        (= rest divisor) (* total (+ exponent 2)) ; the last divisor once more
        :else (* total (inc exponent) 2))         ; another prime

      (zero? (rem rest divisor))
      (recur (quot rest divisor) divisor (inc exponent) total)

      :else
      (recur rest (inc divisor) 0 (* total (inc exponent))))))

(defn triangular-divisor-count
  "The number of divisors of n(n + 1)/2. Of the neighbours n and n + 1 the even one is halved;
  they have no common factor, so that the numbers of their divisors are multiplied."
  [n]
  (if (even? n)
    (* (divisor-count (quot n 2)) (divisor-count (inc n)))
    (* (divisor-count n) (divisor-count (quot (inc n) 2)))))

(let [n (first (filter #(> (triangular-divisor-count %) divisors) (iterate inc 1)))]
  (println (quot (* n (inc n)) 2)))
