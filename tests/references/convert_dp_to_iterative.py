def nothing(messages):
    return ""


BACKWARD = """```python
def best_pay(pay, most, sick):
    after = [[0] * (sick + 1) for _ in range(most + 1)]  # after[row][sick left], from the next day on
    for today in reversed(pay):
        now = []
        for row in range(most + 1):
            line = []
            for left in range(sick + 1):
                result = after[0][left]
                if row < most:
                    result = max(result, today + after[row + 1][left])
                if left > 0 and row > 0:
                    result = max(result, today // 2 + after[0][left - 1])
                line.append(result)
            now.append(line)
        after = now
    return after[0][sick]
```"""

RIGHT = {
    "TestConvertDpToIterative": [
        f"From the last day to the first, with two small tables:\n\n{BACKWARD}",
        """Forwards, with the states that can be reached:

```python
def best_pay(pay, most, sick):
    states = {(0, 0): 0}  # (days in a row, sick days used) -> money so far
    for today in pay:
        following = {}

        def offer(state, money):
            if money > following.get(state, float("-inf")):
                following[state] = money

        for (row, used), money in states.items():
            offer((0, used), money)
            if row < most:
                offer((row + 1, used), money + today)
            if row and used < sick:
                offer((0, used + 1), money + today // 2)
        states = following
    return max(states.values())
```""",
    ]
}

WRONG = {
    "TestConvertDpToIterative": [
        nothing,
        # another cache does not make it less deep
        """```python
from functools import cache

def best_pay(pay, most, sick):
    @cache
    def best(day, row, left):
        if day == len(pay):
            return 0
        result = best(day + 1, 0, left)
        if row < most:
            result = max(result, pay[day] + best(day + 1, row + 1, left))
        if left > 0 and row > 0:
            result = max(result, pay[day] // 2 + best(day + 1, 0, left - 1))
        return result
    return best(0, 0, sick)
```""",
        # a loop, but over the whole table
        """```python
def best_pay(pay, most, sick):
    n = len(pay)
    table = [[[0] * (sick + 1) for _ in range(most + 1)] for _ in range(n + 1)]
    for day in range(n - 1, -1, -1):
        for row in range(most + 1):
            for left in range(sick + 1):
                best = table[day + 1][0][left]
                if row < most:
                    best = max(best, pay[day] + table[day + 1][row + 1][left])
                if left and row:
                    best = max(best, pay[day] // 2 + table[day + 1][0][left - 1])
                table[day][row][left] = best
    return table[0][0][sick]
```""",
        BACKWARD.replace("left > 0 and row > 0", "left > 0"),  # sick after a day off
        BACKWARD.replace("today // 2 + after[0]", "today // 2 + after[row]"),  # the row goes on
        # begins as if there had been work on the day before
        BACKWARD.replace("return after[0][sick]", "return max(map(max, after))"),
        BACKWARD.replace("reversed(pay)", "pay"),
        "```python\ndef best_pay(pay, most, sick):\n    # iterative, two rows only\n    return sum(pay)\n```",
    ]
}
