(def key-length 3)

(def codes (map parse-long (re-seq #"\d+" (slurp "cipher.txt"))))

(defn decrypted [column letter]
  (map #(bit-xor % letter) column))

(defn spaces [column letter]
  (count (filter #{(int \space)} (decrypted column letter))))

(defn best-letter
  "The letter that makes the most spaces: they are the most frequent character of the text."
  [column]
  (apply max-key #(spaces column %) (range (int \a) (inc (int \z)))))

;; Every third byte is encrypted with the same letter, so the letters can be found one by one.
(println (reduce + (for [start (range key-length)
                         :let [column (take-nth key-length (drop start codes))]
                         code (decrypted column (best-letter column))]
                     code)))
