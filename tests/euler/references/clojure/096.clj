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

(defn choices [grid cell]
  (reduce disj #{1 2 3 4 5 6 7 8 9} (map grid (peers-of cell))))

(defn solve
  "The solution of a grid, a vector of 81 digits with 0 for empty cells, or nil."
  [grid]
  (let [empty-cells (filter #(zero? (grid %)) (range 81))]
    (if (empty? empty-cells)
      grid
      (let [[cell digits] (apply min-key (comp count second) (for [cell empty-cells] [cell (choices grid cell)]))]
        (some #(solve (assoc grid cell %)) digits)))))

(def puzzles
  (for [[_heading & rows] (partition 10 (string/split-lines (slurp "sudoku.txt")))]
    (mapv #(Character/digit ^char % 10) (apply str (map string/trim rows)))))

(println (reduce + (for [puzzle puzzles
                         :let [[a b c] (solve puzzle)]]
                     (+ (* 100 a) (* 10 b) c))))
