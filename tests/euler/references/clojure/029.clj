;; The number of different values of a^b with a and b from 2 to 100.

(println (count (set (for [a (range 2 101)
                           b (range 2 101)]
                       (.pow (biginteger a) b)))))
