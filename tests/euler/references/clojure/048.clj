(def modulus (.pow BigInteger/TEN 10))

(defn self-power [k]
  (.modPow (biginteger k) (biginteger k) modulus))

(println (str (mod (reduce + (map self-power (range 1 1001))) modulus)))
