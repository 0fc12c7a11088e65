def nothing(messages):
    return ""


FUNCTIONS = """```clojure
(defn paths [m]
  (loop [todo (map (fn [[k v]] [[k] v]) m)
         found {}]
    (if-let [[path value] (first todo)]
      (if (and (map? value) (seq value))
        (recur (concat (map (fn [[k v]] [(conj path k) v]) value) (rest todo)) found)
        (recur (rest todo) (assoc found path value)))
      found)))

(defn changes [old new]
  (let [before (paths old)
        after (paths new)]
    {:added (into {} (remove #(contains? before (key %)) after))
     :removed (into {} (remove #(contains? after (key %)) before))
     :changed (into {} (for [[path value] before
                             :when (and (contains? after path) (not= value (after path)))]
                         [path [value (after path)]]))}))
```"""

RIGHT = {
    "TestClojureFlattenKeys": [
        FUNCTIONS,
        """A lazy tree walk does the first, sets of keys the second:

```clj
(ns config.diff
  (:require [clojure.set :as set]))

(defn paths
  "Leaf values by path."
  [m]
  (into {}
        (comp (remove (fn [[path v]] (and (map? v) (not (empty? v)))))
              (remove (fn [[path _]] (empty? path))))
        (tree-seq (fn [[_ v]] (map? v))
                  (fn [[path v]] (map (fn [[k x]] [(conj path k) x]) v))
                  [[] m])))

(defn changes [old new]
  (let [a (paths old), b (paths new)
        ka (set (keys a)), kb (set (keys b))]
    {:added (select-keys b (set/difference kb ka))
     :removed (select-keys a (set/difference ka kb))
     :changed (reduce (fn [acc k] (if (= (a k) (b k)) acc (assoc acc k [(a k) (b k)])))
                      {} (set/intersection ka kb))}))
```""",
        """By recursion, configurations aren't that deep:

```clojure
(defn paths
  ([m] (paths [] m))
  ([prefix m]
   (reduce-kv
     (fn [acc k v]
       (let [path (conj prefix k)]
         (if (and (map? v) (not (empty? v)))
           (merge acc (paths path v))
           (assoc acc path v))))
     {} m)))

(defn changes [old new]
  (let [o (paths old), n (paths new)]
    {:added   (apply dissoc n (keys o))
     :removed (apply dissoc o (keys n))
     :changed (into {} (keep (fn [[path was]]
                               (when-let [[_ is] (find n path)]
                                 (when (not= was is) [path [was is]])))
                             o))}))
```""",
    ]
}

WRONG = {
    "TestClojureFlattenKeys": [
        nothing,
        # loses empty maps
        FUNCTIONS.replace("(and (map? value) (seq value))", "(map? value)"),
        # nil is taken for "not there"
        FUNCTIONS.replace("(contains? before (key %))", "(before (key %))").replace(
            "(contains? after (key %))", "(after (key %))"
        ),
        # 1 and 1.0 are not the same in clojure, unless one asks for it
        FUNCTIONS.replace("(not= value (after path))", "(not (and (number? value) (== value (after path))))"),
        "```clojure\n;; (println true 1)\n(defn paths [m] {[:a :b] 1, [:a :c] {}, [:d] [2]})\n(defn changes [old new] {})\n```",
    ]
}
