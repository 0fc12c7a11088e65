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

(def primes (vec (filter prime? (range limit))))

(def totals
  "At index k the sum of the first k primes, as long as it is below the limit."
  (vec (take-while #(< % limit) (reductions + 0 primes))))

(defn prime-sum
  "A prime below the limit that is the sum of so many consecutive primes; nil if there is none."
  [terms]
  (->> (map #(apply + (subvec primes % (+ % terms))) (range))
       (take-while #(< % limit))
       (filter prime?)
       first))

(println (some prime-sum (range (dec (count totals)) 0 -1)))
