(def wanted 4)

(defn divided-out
  "n without any factor d."
  ^long [^long n ^long d]
  (if (zero? (rem n d))
    (recur (quot n d) d)
    n))

(defn different-prime-factors ^long [^long n]
  (loop [rest-of-n n, d 2, found 0]
    (cond
      (> (* d d) rest-of-n) (if (> rest-of-n 1) (inc found) found)
      (zero? (rem rest-of-n d)) (recur (divided-out rest-of-n d) (inc d) (inc found))
      :else (recur rest-of-n (inc d) found))))

(loop [n 2, run 0]
  (let [run (if (= (different-prime-factors n) wanted) (inc run) 0)]
    (if (= run wanted)
      (println (- n (dec run)))
      (recur (inc n) run))))
