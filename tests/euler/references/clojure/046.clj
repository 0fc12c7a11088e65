(defn prime? [^long n]
  (and (> n 1)
       (loop [d 2]
         (cond
           (> (* d d) n) true
           (zero? (rem n d)) false
           :else (recur (inc d))))))

(defn prime-and-twice-a-square? [n]
  (->> (rest (range))
       (map #(* 2 % %))
       (take-while #(< % n))
       (some #(prime? (- n %)))))

(println (->> (iterate #(+ 2 %) 9)
              (remove prime?)
              (remove prime-and-twice-a-square?)
              first))
