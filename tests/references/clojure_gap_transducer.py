def nothing(messages):
    return ""


SESSIONS = """```clojure
(defn sessions [f gap]
  (fn [rf]
    (let [batch (volatile! [])]
      (fn
        ([] (rf))
        ([result]
         (let [last-batch @batch]
           (vreset! batch [])
           (rf (if (empty? last-batch)
                 result
                 (unreduced (rf result last-batch))))))
        ([result x]
         (let [before @batch]
           (if (and (seq before) (> (- (f x) (f (peek before))) gap))
             (do (vreset! batch [x])
                 (let [result (rf result before)]
                   (when (reduced? result) (vreset! batch []))
                   result))
             (do (vswap! batch conj x)
                 result))))))))
```"""

RIGHT = {
    "TestClojureGapTransducer": [
        "The state is made anew for each use, inside of `(fn [rf] ...)`; the completing arity flushes:\n\n"
        + SESSIONS,
        # by the core's own: a number for each session, which partition-by groups
        """```clojure
(defn sessions
  "Numbers the sessions, and groups by the number."
  [f gap]
  (comp
    (fn [rf]
      (let [number (volatile! 0)
            before (volatile! ::none)]
        (fn
          ([] (rf))
          ([result] (rf result))
          ([result x]
           (let [at (f x)]
             (when (and (not= ::none @before) (> at (+ @before gap)))
               (vswap! number inc))
             (vreset! before at)
             (rf result [@number x]))))))
    (partition-by first)
    (map #(mapv second %))))
```""",
    ]
}

WRONG = {
    "TestClojureGapTransducer": [
        nothing,
        # one state for all uses
        SESSIONS.replace(
            "  (fn [rf]\n    (let [batch (volatile! [])]\n", "  (let [batch (volatile! [])]\n    (fn [rf]\n"
        ),
        SESSIONS.replace("(unreduced (rf result last-batch))", "(rf result last-batch)"),
        # no flush
        SESSIONS.replace("(unreduced (rf result last-batch))", "result"),
        # measures from the session's start
        SESSIONS.replace("(peek before)", "(first before)"),
        SESSIONS.replace("gap))\n", "gap) true)\n").replace("(> (-", "(>= (-"),
        # takes nil for nothing
        SESSIONS.replace("(seq before)", "(peek before)"),
        "```clojure\n;; volatile!, unreduced\n(defn sessions [f gap] (partition-by f))\n```",
    ]
}
