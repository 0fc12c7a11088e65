(defn pentagonal ^long [^long n]
  (quot (* n (- (* 3 n) 1)) 2))

(defn pentagonal?
  "p = n(3n-1)/2 exactly when 24p + 1 is the square of 6n - 1."
  [^long p]
  (let [square (inc (* 24 p))
        root (Math/round (Math/sqrt square))]
    (and (= (* root root) square) (= (rem root 6) 5))))

(defn difference-of-a-pair?
  "Whether some pentagonal j plus the difference is a pentagonal k, and their sum is pentagonal too.
  With step = k - j the first says: 2 * difference = step * (3 * (2j + step) - 1)."
  [^long difference]
  (let [product (* 2 difference)]
    (loop [step 1]
      (if (> (* step (- (* 3 (+ 2 step)) 1)) product)
        false
        (let [factor (inc (quot product step))
              twice-j (- (quot factor 3) step)]
          (if (and (zero? (rem product step))
                   (zero? (rem factor 3))
                   (even? twice-j)
                   (pentagonal? (+ difference (* 2 (pentagonal (quot twice-j 2))))))
            true
            (recur (inc step))))))))

;; Differences in growing order, so the first one that fits is the smallest.
(println (->> (rest (range))
              (map pentagonal)
              (filter difference-of-a-pair?)
              first))
