(defn prime? [^long n]
  (cond
    (< n 4) (> n 1)
    (or (even? n) (zero? (rem n 3))) false
    :else (loop [d 5]
            (cond
              (> (* d d) n) true
              (or (zero? (rem n d)) (zero? (rem n (+ d 2)))) false
              :else (recur (+ d 6))))))

(defn corners [side]
  (take 4 (iterate #(- % (dec side)) (* side side))))

(loop [side 3, primes 0]
  (let [primes (+ primes (count (filter prime? (corners side))))]
    (if (< (* 10 primes) (dec (* 2 side)))
      (println side)
      (recur (+ side 2) primes))))
