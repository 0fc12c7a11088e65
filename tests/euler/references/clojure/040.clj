(defn digit
  "The digit at a 1-based position of 123456789101112..."
  [position]
  (loop [position position
         length 1
         start 1] ; the first number of so many digits
    (let [block (* length 9 start)]
      (if (> position block)
        (recur (- position block) (inc length) (* 10 start))
        (let [number (+ start (quot (dec position) length))
              place (rem (dec position) length)]
          (- (int (nth (str number) place)) (int \0)))))))

(println (reduce * (map digit (take 7 (iterate #(* 10 %) 1)))))
