def nothing(messages):
    return ""


SMALLEST = """```clojure
(defn merge-sorted [key-fn & colls]
  (letfn [(step [seqs]
            (lazy-seq
              (let [alive (filterv seq seqs)]
                (when (seq alive)
                  (let [best (reduce (fn [i j]
                                       (if (< (key-fn (first (alive j))) (key-fn (first (alive i)))) j i))
                                     0 (range 1 (count alive)))]
                    (cons (first (alive best))
                          (step (update alive best rest))))))))]
    (step (vec colls))))
```"""

RIGHT = {
    "TestClojureLazyMerge": [
        "The smallest head of all, the first one among equals:\n\n" + SMALLEST,
        # a sorted map as a queue: the key and the number of the coll, so that equal keys stay in order
        """```clojure
(defn merge-sorted
  [key-fn & colls]
  (letfn [(enter [queue number s]
            (if-let [s (seq s)]
              (assoc queue [(key-fn (first s)) number] s)
              queue))
          (run [queue]
            (when-let [[[_ number :as place] s] (first queue)]
              (cons (first s)
                    (lazy-seq (run (enter (dissoc queue place) number (rest s)))))))]
    (lazy-seq (run (reduce (fn [queue [number s]] (enter queue number s))
                           (sorted-map)
                           (map-indexed vector colls))))))

(comment (merge-sorted identity [1 3] [2]))
```""",
    ]
}

WRONG = {
    "TestClojureLazyMerge": [
        nothing,
        "```clojure\n;; lazy-seq\n(defn merge-sorted [key-fn & colls] (sort-by key-fn (apply concat colls)))\n```",
        SMALLEST.replace("(< (key-fn", "(<= (key-fn"),  # the later coll first
        SMALLEST.replace("filterv seq", "filterv first"),  # nil and false end a coll
        # looks ahead as soon as it is called
        SMALLEST.replace("            (lazy-seq\n", "            (do\n"),
    ]
}
