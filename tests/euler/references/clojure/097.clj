(def modulus (.pow BigInteger/TEN 10))

(def power (.modPow BigInteger/TWO (biginteger 7830457) modulus))

(println (format "%010d" (biginteger (mod (inc (* 28433 (bigint power))) modulus))))
