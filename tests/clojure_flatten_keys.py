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

checks = """
(println (= {[:a :b] 1, [:a :c] {}, [:d] [2]} (paths {:a {:b 1, :c {}} :d [2]})) 1)
(println (= {} (paths {})) 2)
(println (= {[:x] nil, [:y :z] false, ["s" 3 'q] :k} (paths {:x nil, :y {:z false}, "s" {3 {'q :k}}})) 3)
(println (= {[:v] [{:a 1}], [:s] #{1}} (paths {:v [{:a 1}] :s #{1}})) 4)
(println (= 100 (count (first (keys (paths (reduce (fn [m k] {k m}) {:leaf 1} (range 99))))))) 5)
(println (= {:added {}, :removed {}, :changed {}} (changes {} {}) (changes {:a {:b 1}} {:a {:b 1}})) 6)
(println (= {:added {[:c] nil}, :removed {[:a :b] 1}, :changed {[:d :e] [false nil]}}
            (changes {:a {:b 1} :d {:e false}} {:c nil :d {:e nil}})) 7)
(println (= {:added {[:a :b] 2}, :removed {[:a] 1}, :changed {}} (changes {:a 1} {:a {:b 2}})) 8)
(println (= {:added {[:a] {}}, :removed {[:a :b] 2}, :changed {}} (changes {:a {:b 2}} {:a {}})) 9)
(println (= {:added {}, :removed {}, :changed {[:n] [1 1.0]}} (changes {:n 1} {:n 1.0})) 10)
"""

answer = "".join(f"true {number}\n" for number in range(1, 11))

TestClojureFlattenKeys = (
    question >> LLMRun() >> ExtractCode(lang="clojure") >> ClojureRun(checks) >> SubstringEvaluator(answer)
)

if __name__ == "__main__":
    print(run_test(TestClojureFlattenKeys))
