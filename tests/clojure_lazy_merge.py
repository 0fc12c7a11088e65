from evaluator import *

DESCRIPTION = (
    "Can the model merge sorted sequences in clojure lazily, endless ones too, without a deep stack?"
)
TAGS = ["code", "clojure"]
DETERMINISTIC = True

question = """
Clojure: please write (merge-sorted key-fn & colls). Every coll is sorted ascending by key-fn (numbers), may be endless, empty
or nil. I want one lazy sequence of all items, sorted; with equal keys the item of the earlier coll comes first. It must be
really lazy, as each item is a query: the call alone reads nothing yet, and reading the first n results may look at one item
more of each coll, no further (colls whose items are queries aren't chunked).
There may be some hundred colls, and I read hundreds of thousands of items.
"""

checks = """
(defn show [name value] (println name (pr-str value)))

(defn counted
  "An unchunked sequence that counts what is realised of it."
  [counter items]
  (lazy-seq (when-let [s (seq items)] (swap! counter inc) (cons (first s) (counted counter (rest s))))))

(show "plain" (merge-sorted identity [1 4 9] [2 3 10 11] [] nil '(0 5)))
(show "empty" [(empty? (merge-sorted identity)) (empty? (merge-sorted identity [] nil)) (merge-sorted identity [7])])
(show "stable" (merge-sorted :k [{:k 1 :c :a} {:k 2 :c :a}] [{:k 1 :c :b} {:k 1 :c :b2}] [{:k 1 :c :c} {:k 2 :c :c}]))
(show "false" (merge-sorted (fn [x] (if x 1 0)) [nil false true] [nil true]))
(show "endless" (take 9 (merge-sorted identity (iterate #(* 2 %) 1) (iterate #(* 3 %) 1) (repeat 5))))
(show "keys" (map second (merge-sorted first [[1 :x] [3 :y]] [[2 :z]])))

(let [a (atom 0), b (atom 0), c (atom 0)
      merged (merge-sorted identity (counted a (range 0 1000 2)) (counted b (range 1 1000 2)) (counted c (range 500 900)))]
  (show "not yet" [@a @b @c])
  (show "four" (doall (take 4 merged)))
  (show "looked at" [(<= 2 @a 4) (<= 2 @b 4) (<= 0 @c 1)])
  (show "all" [(count merged) (apply <= merged)]))

(let [failing (fn failing [n] (lazy-seq (if (< n 5) (cons n (failing (inc n))) (throw (Exception. "too far")))))]
  (show "not too far" (vec (take 8 (merge-sorted identity (failing 0) (failing 0))))))

(show "deep" (nth (merge-sorted identity (iterate inc 0) (iterate inc 0)) 60000))
(show "one long" (count (merge-sorted identity (range 50000) [-1])))
(show "many" (let [all (apply merge-sorted identity (map (fn [i] (range i 2000 400)) (range 400)))] [(count all) (= all (range 2000))]))
"""

answer = """plain (0 1 2 3 4 5 9 10 11)
empty [true true (7)]
stable ({:k 1, :c :a} {:k 1, :c :b} {:k 1, :c :b2} {:k 1, :c :c} {:k 2, :c :a} {:k 2, :c :c})
false (nil false nil true true)
endless (1 1 2 3 4 5 5 5 5)
keys (:x :z :y)
not yet [0 0 0]
four (0 1 2 3)
looked at [true true true]
all [1400 true]
not too far [0 0 1 1 2 2 3 3]
deep 30000
one long 50001
many [2000 true]
"""

TestClojureLazyMerge = (
    question >> LLMRun() >> ExtractCode(lang="clojure") >> ClojureRun(checks) >> SubstringEvaluator(answer)
)

if __name__ == "__main__":
    print(run_test(TestClojureLazyMerge))
