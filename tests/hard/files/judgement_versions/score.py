def score(throws):
    total, left, bonus, streak = 0, 2, 0, 0
    for number, pins in enumerate(throws):
        if bonus > 0:
            total += pins
            bonus -= 1
        total += pins
        if pins == 4 and left == 2:
            bonus = min(bonus + 2, 3)
            streak += 1
        elif left == 1:
            if pins + throws[number - 1] == 4:
                bonus += 1
            left, streak = 2, 0
        else:
            left = 1
        if streak >= 2 and bonus == 3:
            total += 1
    return total if left == 2 else total - 1
