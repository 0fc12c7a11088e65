;; Run once while the image is built: the classes it loads go into the archive that every later JVM maps.
(ns warm
  (:require [clojure.string :as string]
            [clojure.set :as set]
            [clojure.walk :as walk]
            [clojure.edn :as edn]
            [clojure.java.io :as io]
            [clojure.pprint :as pprint]))

(defrecord Point [x y])
(defprotocol Shape (area [this]))
(deftype Square [side] Shape (area [_] (* side side)))
(defmulti kind :type)
(defmethod kind :default [_] :none)

(let [counts (frequencies (string/split "a b a" #" "))
      points (map (fn [n] (->Point n (* n n))) (range 5))
      total (atom 0)]
  (doseq [{:keys [x y]} points] (swap! total + x y))
  (println counts (reduce + (map :y points)) @total (area (->Square 2)) (kind {}))
  (println (set/union #{1} #{2}) (walk/keywordize-keys {"a" 1}) (edn/read-string "{:a [1 2]}"))
  (println (format "%.2f %s" 1.5 (string/join "," (sort-by - [1 2 3]))) (group-by odd? (range 5)))
  (pprint/pprint {:a (vec (range 30)) :b (into (sorted-map) counts)})
  (println (with-open [in (io/reader (java.io.StringReader. "x\ny"))] (doall (line-seq in))))
  (println (try (/ 1 0) (catch ArithmeticException e (.getMessage e))) @(future 1)))
(shutdown-agents)
