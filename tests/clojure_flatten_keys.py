from evaluator import *

DESCRIPTION = "Can the model write idiomatic clojure on nested data, edge cases included?"
TAGS = ["code", "clojure"]
DETERMINISTIC = True

question = """
In clojure, for comparing configurations, please write two functions:

(paths m)     m is a nested map. Returns a map from path (vector of keys) to value, for every value that isn't a non-empty
              map itself. {:a {:b 1, :c {}} :d [2]} gives {[:a :b] 1, [:a :c] {}, [:d] [2]}. Vectors are values, nil and
              false too. The empty map gives the empty map.
(changes old new)    both nested maps. Returns a map with :added, :removed (both path -> value) and :changed
                     (path -> [old-value new-value]), all three always there, based on paths.

No libraries beyond clojure.core (and clojure.set if you like).
"""

# The values are printed, and compared here: what `=` says in there is the program's word.
checks = r"""
(clojure.core/defn seen-value [x]
  (clojure.core/let [join (clojure.core/fn [parts] (clojure.core/apply clojure.core/str (clojure.core/interpose " " parts)))]
    (clojure.core/cond
      (clojure.core/map? x)
      (clojure.core/str "{" (join (clojure.core/sort (clojure.core/map
        (clojure.core/fn [[k v]] (clojure.core/str (seen-value k) " " (seen-value v))) x))) "}")
      (clojure.core/set? x) (clojure.core/str "#{" (join (clojure.core/sort (clojure.core/map seen-value x))) "}")
      (clojure.core/sequential? x) (clojure.core/str "[" (join (clojure.core/map seen-value x)) "]")
      :else (clojure.core/pr-str x))))
(clojure.core/defn see [number x] (clojure.core/println number (seen-value x)))
(see 1 (paths {:a {:b 1, :c {}} :d [2]}))
(see 2 (paths {}))
(see 3 (paths {:x nil, :y {:z false}, "s" {3 {'q :k}}}))
(see 4 (paths {:v [{:a 1}] :s #{1}}))
(see 5 (clojure.core/count (clojure.core/first (clojure.core/keys
  (paths (clojure.core/reduce (fn [m k] {k m}) {:leaf 1} (clojure.core/range 99)))))))
(see 6 [(changes {} {}) (changes {:a {:b 1}} {:a {:b 1}})])
(see 7 (changes {:a {:b 1} :d {:e false}} {:c nil :d {:e nil}}))
(see 8 (changes {:a 1} {:a {:b 2}}))
(see 9 (changes {:a {:b 2}} {:a {}}))
(see 10 (changes {:n 1} {:n 1.0}))
"""

answer = """1 {[:a :b] 1 [:a :c] {} [:d] [2]}
2 {}
3 {["s" 3 q] :k [:x] nil [:y :z] false}
4 {[:s] #{1} [:v] [{:a 1}]}
5 100
6 [{:added {} :changed {} :removed {}} {:added {} :changed {} :removed {}}]
7 {:added {[:c] nil} :changed {[:d :e] [false nil]} :removed {[:a :b] 1}}
8 {:added {[:a :b] 2} :changed {} :removed {[:a] 1}}
9 {:added {[:a] {}} :changed {} :removed {[:a :b] 2}}
10 {:added {} :changed {[:n] [1 1.0]} :removed {}}
"""

TestClojureFlattenKeys = (
    question >> LLMRun() >> ExtractCode(lang="clojure") >> ClojureRun(checks) >> SubstringEvaluator(answer)
)

if __name__ == "__main__":
    print(run_test(TestClojureFlattenKeys))
