def nothing(messages):
    return ""


BISECT = '''```python
from bisect import bisect_left, insort


def false_alarms(readings, gap):
    """How often a reading is more than gap above a later one."""
    later = []
    count = 0
    for reading in reversed(readings):
        count += bisect_left(later, reading - gap)  # those below reading - gap
        insort(later, reading)
    return count
```'''

MERGE = """A merge sort that counts while it merges, O(n log n) in the worst case too:

```python
def false_alarms(readings, gap):
    def sort(values):
        if len(values) < 2:
            return values, 0
        middle = len(values) // 2
        left, a = sort(values[:middle])
        right, b = sort(values[middle:])
        count, j, n = a + b, 0, len(right)
        for x in left:
            limit = x - gap
            while j < n and right[j] < limit:
                j += 1
            count += j
        return sorted(left + right), count  # two runs: timsort merges them

    return sort(list(readings))[1]
```"""

NAIVE = """```python
def false_alarms(readings, gap):
    n = len(readings)
    return sum(1 for i in range(n) for j in range(i + 1, n) if readings[i] > readings[j] + gap)
```"""

RIGHT = {"TestCpuTimeFalseAlarms": [f"Keep the later readings sorted:\n\n{BISECT}", MERGE]}

WRONG = {
    "TestCpuTimeFalseAlarms": [
        nothing,
        f"A generator expression is much faster than the loops:\n\n{NAIVE}",
        BISECT.replace("bisect_left", "bisect_right"),  # counts the equal ones
        BISECT.replace("reading - gap", "reading + gap"),
        # sorts anew each time
        BISECT.replace("insort(later, reading)", "later = sorted(later + [reading])"),
        BISECT.replace("reversed(readings)", "readings"),
        "With bisect and insort it is O(n log n):\n```python\nfrom bisect import insort\n"
        "def false_alarms(readings, gap):\n    return len([r for r in readings if r > gap])\n```",
    ]
}
