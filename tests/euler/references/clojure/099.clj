(require '[clojure.string :as string])

;; a^b < c^d just if b log a < d log c.
(defn logarithm [line]
  (let [[base exponent] (map parse-long (string/split (string/trim line) #","))]
    (* exponent (Math/log base))))

(def logarithms (map logarithm (string/split-lines (slurp "base_exp.txt"))))

(println (inc (first (apply max-key second (map-indexed vector logarithms)))))
