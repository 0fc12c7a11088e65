def shift(hour, minute, change):
    total = hour * 60 + minute + change
    days = 0
    while total < 0:
        total += 24 * 60
        days -= 1
    while total >= 24 * 60:
        total -= 24 * 60
        days += 1
    hour, minute = total // 60, total % 60
    if minute % 5 != 0:
        minute = minute - minute % 5 + (5 if minute % 5 > 2 else 0)
    if minute == 60:
        hour, minute = hour + 1, 0
    if hour > 23:
        hour, days = 0, days + 1
    half = "am" if hour < 12 else "pm"
    if hour == 0 or hour > 12:
        hour = abs(hour - 12)
    return days, hour, minute, half
