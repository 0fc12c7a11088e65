from evaluator import *

DESCRIPTION = (
    "Can the model write a stateful clojure transducer that flushes, stops early and can be used again?"
)
TAGS = ["code", "clojure"]
DETERMINISTIC = True

question = """
I need (sessions f gap) in clojure, a real transducer (no lazy seq inside): it collects consecutive inputs into vectors and
begins a new vector whenever (f x) is more than gap larger than (f y) of the input y right before it. The last one comes at
the end. It should work with into, sequence, transduce, eduction, with take and the like behind it (not read more than needed
then), and one (sessions ...) value may be used several times. nil can be among the inputs, f gives a number for each. e.g.

(into [] (sessions :at 10) [{:at 1} {:at 5} {:at 16} {:at 17}])
;; => [[{:at 1} {:at 5}] [{:at 16} {:at 17}]]
"""

checks = """
(defn show [name value] (println name (pr-str value)))

(let [near (sessions identity 1)]
  (show "plain" [(into [] near [1 2 3 7 8 20]) (into [] near []) (into [] near [5])])
  (show "again" [(into [] near [1 2 9]) (sequence near [1 2 9]) (sequence near [3])])
  (show "both" (sequence (comp near (map count)) (range 0 30 2)))
  (show "gap" (into [] (sessions identity 3) [0 3 6 10 13 12 2 5 9]))
  (show "nil" (into [] (sessions #(or % 0) 1) [nil nil 1 nil 5 nil]))
  (show "vectors" (every? vector? (into [] near [1 2 9])))
  (show "eduction" (reduce + (map count (eduction near [1 2 9 10 11])))))

(let [read (atom 0), source (map (fn [x] (swap! read inc) x))]
  (show "take" [(transduce (comp source (sessions identity 1) (take 1)) conj [1 2 5 6 9 10 11 30]) @read])
  (reset! read 0)
  (show "some" [(transduce (comp source (sessions identity 1) (map count)) (fn ([r] r) ([r x] (if (= x 2) (reduced x) r))) nil
                 [1 5 6 10 11 20 30]) @read]))

(let [log (atom [])
      rf (fn ([] :start) ([r] (swap! log conj :done) r) ([r x] (swap! log conj x) r))]
  (show "init" (((sessions identity 1) rf)))
  (transduce (sessions identity 1) rf :r [1 2 4])
  (show "completed once" @log)
  (reset! log [])
  (transduce (sessions identity 1) (fn ([r] (swap! log conj [:done (reduced? r)]) r) ([r x] (reduced x))) :r [1 2])
  (show "reduced at the end" @log))

(show "nested" (into [] (comp (sessions identity 1) (sessions first 5)) [1 2 4 5 20 21 40]))
(show "long" (count (first (into [] (sessions identity 1) (range 100000)))))
(let [s (sessions identity 1), a (s conj), b (s conj), x (a [] 1), y (b [] 5)]
  (show "side by side" [(a (a x 9)) (b (b y 6))]))
"""

answer = """plain [[[1 2 3] [7 8] [20]] [] [[5]]]
again [[[1 2] [9]] ([1 2] [9]) ([3])]
both (1 1 1 1 1 1 1 1 1 1 1 1 1 1 1)
gap [[0 3 6] [10 13 12 2 5] [9]]
nil [[nil nil 1 nil] [5 nil]]
vectors true
eduction 5
take [[[1 2]] 3]
some [2 4]
init :start
completed once [[1 2] [4] :done]
reduced at the end [[:done false]]
nested [[[1 2] [4 5]] [[20 21]] [[40]]]
long 100000
side by side [[[1] [9]] [[5 6]]]
"""

TestClojureGapTransducer = (
    question >> LLMRun() >> ExtractCode(lang="clojure") >> ClojureRun(checks) >> SubstringEvaluator(answer)
)

if __name__ == "__main__":
    print(run_test(TestClojureGapTransducer))
