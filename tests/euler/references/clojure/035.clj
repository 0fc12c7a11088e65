(def limit 1000000)

(defn prime-flags
  "An array of booleans that says of each number below n whether it is prime."
  [n]
  (let [flags (boolean-array n true)]
    (aset flags 0 false)
    (aset flags 1 false)
    (doseq [p (range 2 (Math/sqrt n))
            :when (aget flags (int p))
            multiple (range (* p p) n p)]
      (aset flags (int multiple) false))
    flags))

(def flags (prime-flags limit))

(defn prime? [n]
  (aget ^booleans flags (int n)))

(defn rotations [n]
  (let [digits (str n)]
    (for [i (range (count digits))]
      (parse-long (str (subs digits i) (subs digits 0 i))))))

(defn circular? [n]
  (every? prime? (rotations n)))

(println (count (filter circular? (filter prime? (range limit)))))
