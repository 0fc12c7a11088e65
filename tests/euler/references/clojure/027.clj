;; The product ab of the polynomial n^2 + an + b that is prime for the most n = 0, 1, 2, ...

(def limit 1000)

;; At n = b the value is divisible by b, and it is not b itself: no run goes on from there. So n stays
;; at or below 1000, and no value is above this one.
(def largest (+ (* 2 limit limit) limit))

(defn composites
  "A set of bits for the composite numbers up to the largest; 0 and 1 belong to it."
  ^java.util.BitSet [largest]
  (let [found (java.util.BitSet. (inc largest))]
    (.set found 0 2)
    (loop [n 2]
      (when (<= (* n n) largest)
        (when-not (.get found n)
          (doseq [multiple (range (* n n) (inc largest) n)]
            (.set found multiple)))
        (recur (inc n))))
    found))

(def ^java.util.BitSet composite (composites largest))

(defn prime? [^long number]
  (and (pos? number) (not (.get composite number))))

(defn run-length [^long a ^long b]
  (loop [n 0]
    (if (prime? (+ (* n n) (* a n) b))
      (recur (inc n))
      n)))

(def candidates
  (for [b (filter prime? (range (inc limit))) ; the value at n = 0
        a (range (inc (- limit)) limit)]
    [a b]))

(println (apply * (apply max-key #(apply run-length %) candidates)))
