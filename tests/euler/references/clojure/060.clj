(def wanted 5)

(def small-primes (long-array [2 3 5 7 11 13 17 19 23 29 31 37 41 43 47 53 59 61]))

(defn power-mod ^long [^long base ^long exponent ^long modulus]
  (loop [result 1, square (rem base modulus), exponent exponent]
    (if (zero? exponent)
      result
      (recur (if (odd? exponent) (rem (* result square) modulus) result)
             (rem (* square square) modulus)
             (quot exponent 2)))))

(defn passes? [^long n ^long base]
  (let [twos (Long/numberOfTrailingZeros (dec n))
        x (power-mod base (bit-shift-right (dec n) twos) n)]
    (or (= x 1)
        (loop [x x, i 0]
          (cond
            (= i twos) false
            (= x (dec n)) true
            :else (recur (rem (* x x) n) (inc i)))))))

(defn small-factor
  "The first of the small primes that divides n, or 0."
  ^long [^long n]
  (let [^longs primes small-primes]
    (loop [i 0]
      (cond
        (= i (alength primes)) 0
        (zero? (rem n (aget primes i))) (aget primes i)
        :else (recur (inc i))))))

(defn prime?
  "Miller and Rabin's test; the bases 2, 7 and 61 leave no doubt below 4 759 123 141."
  [^long n]
  (let [factor (small-factor n)]
    (if (zero? factor)
      (and (> n 1) (passes? n 2) (passes? n 7) (passes? n 61))
      (= n factor))))

(defn joined ^long [^long a ^long b]
  (loop [shift 10]
    (if (> shift b)
      (+ (* a shift) b)
      (recur (* 10 shift)))))

(defn fits? [^long a ^long b]
  ;; written one behind the other, a and b have the remainder of a + b modulo 3
  (and (pos? (rem (+ a b) 3)) (prime? (joined a b)) (prime? (joined b a))))

(defn smallest-sum
  "The least sum below best with so many more of the candidates, which grow and all fit what is chosen."
  [chosen candidates more best partners]
  (if (zero? more)
    (min best chosen)
    (reduce (fn [best i]
              (let [p (candidates i)]
                (if (>= (+ chosen p) best)
                  (reduced best)
                  (let [fitting (filterv (partners p) (subvec candidates 0 i))]
                    (smallest-sum (+ chosen p) fitting (dec more) best partners)))))
            best
            (range (dec more) (count candidates)))))

;; p is the largest of the five; the others come from the smaller primes that fit it.
(loop [p 3, primes [], partners {}, best Long/MAX_VALUE]
  (cond
    (>= p best) (println best)
    (not (prime? p)) (recur (+ p 2) primes partners best)
    :else (let [fitting (filterv #(fits? % p) (take-while #(< % (- best p)) primes))
                partners (assoc partners p (set fitting))
                best (smallest-sum p fitting (dec wanted) best partners)]
            (recur (+ p 2) (conj primes p) partners (long best)))))
