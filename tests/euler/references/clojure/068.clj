(def n 5)

(defn lines-to
  "All ways to complete `lines`, a vector of [outer inner next-inner] with the same total, to a magic ring."
  [lines free total]
  (let [[start first-inner] (first lines)
        inner (last (peek lines))
        later (filter #(> % start) free)] ; the first line has the smallest outer number
    (if (= (count lines) (dec n))
      (for [outer later
            :when (= total (+ outer inner first-inner))]
        (conj lines [outer inner first-inner]))
      (for [outer later
            :let [following (- total outer inner)]
            :when (and (free following) (not= following outer))
            ring (lines-to (conj lines [outer inner following]) (disj free outer following) total)]
        ring))))

(def numbers (set (range 1 (inc (* 2 n)))))

(def strings
  (for [a numbers
        b (disj numbers a)
        c (disj numbers a b)
        ring (lines-to [[a b c]] (disj numbers a b c) (+ a b c))]
    (apply str (flatten ring))))

(println (last (sort (filter #(= 16 (count %)) strings))))
