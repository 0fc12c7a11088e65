(def target 2000000)

(defn triangle [n]
  (quot (* n (inc n)) 2))

(defn rectangles
  "Two of the width + 1 upright lines, and two of the height + 1 level lines."
  [width height]
  (* (triangle width) (triangle height)))

(def grids
  (for [width (take-while #(< (triangle %) (* 2 target)) (iterate inc 1))
        height (take-while #(< (rectangles width %) (* 2 target)) (range 1 (inc width)))]
    [width height]))

(defn distance [[width height]]
  (abs (- (rectangles width height) target)))

(println (apply * (apply min-key distance grids)))
