(def target 1000000)

(defn square? [^long n]
  (let [root (Math/round (Math/sqrt n))]
    (= n (* root root))))

;; With edges a <= b <= c the shortest way has length sqrt((a + b)^2 + c^2). Go by the longest edge c and by
;; the sum a + b, of which there are as many pairs as a <= b <= c allows.
(defn rooms-with-longest ^long [^long c]
  (loop [ab 2, rooms 0]
    (cond
      (> ab (* 2 c)) rooms
      (square? (+ (* ab ab) (* c c))) (recur (inc ab) (+ rooms (inc (- (quot ab 2) (max 1 (- ab c))))))
      :else (recur (inc ab) rooms))))

(loop [c 1, rooms 0]
  (let [rooms (+ rooms (rooms-with-longest c))]
    (if (> rooms target)
      (println c)
      (recur (inc c) rooms))))
