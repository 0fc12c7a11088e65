;; The number of months from 1901 to 2000 that began with a Sunday.

(def sunday 6)

(defn divides? [divisor number]
  (zero? (mod number divisor)))

(defn leap? [year]
  (and (divides? 4 year)
       (or (not (divides? 100 year)) (divides? 400 year))))

(defn days [[year month]]
  (case month
    (4 6 9 11) 30
    2 (if (leap? year) 29 28)
    31))

(def months
  (for [year (range 1900 2001), month (range 1 13)]
    [year month]))

;; The days of the week on which the months began; 1 January 1900 was a Monday, day 0.
(def first-days
  (reductions (fn [weekday month] (mod (+ weekday (days month)) 7)) 0 months))

(println (count (for [[[year _] weekday] (map vector months first-days)
                      :when (and (> year 1900) (= weekday sunday))]
                  year)))
