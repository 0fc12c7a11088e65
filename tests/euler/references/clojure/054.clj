(require '[clojure.string :as str])

(defn value [card]
  (str/index-of "23456789TJQKA" (subs card 0 1)))

(defn suit [card]
  (subs card 1))

(def rank-of-groups
  "The rank of a hand that is neither straight nor flush by the sizes of its groups of equal cards."
  {[1 1 1 1 1] 0, [2 1 1 1] 1, [2 2 1] 2, [3 1 1] 3, [3 2] 6, [4 1] 7})

(defn strength
  "The hand's rank, and its values in the order in which equal ranks compare them: larger groups of equal
  cards first, and higher values first among equal groups. A royal flush needs no rank of its own, being
  the straight flush with the highest values."
  [hand]
  (let [groups (->> (frequencies (map value hand))
                    (sort-by (fn [[value size]] [(- size) (- value)])))
        values (mapv first groups)
        sizes (mapv second groups)
        flush? (apply = (map suit hand))
        straight? (and (= 5 (count values)) (= 4 (- (first values) (last values))))
        rank (cond
               (and straight? flush?) 8
               flush? 5
               straight? 4
               :else (rank-of-groups sizes))]
    [rank values]))

(defn first-player-wins? [line]
  (let [[first-hand second-hand] (split-at 5 (re-seq #"\S+" line))]
    (pos? (compare (strength first-hand) (strength second-hand)))))

(println (->> (slurp "poker.txt")
              str/split-lines
              (remove str/blank?)
              (filter first-player-wins?)
              count))
