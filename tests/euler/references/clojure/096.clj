(require '[clojure.string :as string])

(defn peers
  "The other cells in the row, the column and the box of a cell. Cells are numbered from 0 to 80."
  [cell]
  (let [place (fn [cell] [(quot cell 9) (rem cell 9)])
        [row column] (place cell)]
    (for [other (range 81)
          :let [[r c] (place other)]
          :when (and (not= cell other)
                     (or (= r row)
                         (= c column)
                         (= [(quot r 3) (quot c 3)] [(quot row 3) (quot column 3)])))]
      other)))

(def peers-of (mapv peers (range 81)))

(defn used
  "The digits that a cell's peers hold already: bit d for the digit d."
  [grid cell]
  (bit-clear (reduce #(bit-set %1 (grid %2)) 0 (peers-of cell)) 0))

(defn solve
  "The solution of a grid, a vector of 81 digits with 0 for empty cells, or nil."
  [grid]
  (let [empty-cells (filter #(zero? (grid %)) (range 81))]
    (if (empty? empty-cells)
      grid
      (let [taken (zipmap empty-cells (map #(used grid %) empty-cells))
            cell (apply max-key #(Long/bitCount (taken %)) empty-cells)] ; the fewest choices are left
        (some #(solve (assoc grid cell %))
              (remove #(bit-test (taken cell) %) (range 1 10)))))))

(def puzzles
  (for [[_heading & rows] (partition 10 (string/split-lines (slurp "sudoku.txt")))]
    (mapv #(Character/digit ^char % 10) (apply str (map string/trim rows)))))

(println (reduce + (for [puzzle puzzles
                         :let [[a b c] (solve puzzle)]]
                     (+ (* 100 a) (* 10 b) c))))
