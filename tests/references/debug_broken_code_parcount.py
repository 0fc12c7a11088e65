def nothing(messages):
    return ""


FIXED = r"""```python
import os
from multiprocessing import Pool


def count_part(path, word, start, end):
    # counts the lines that begin in start .. end - 1
    wanted = word.encode("utf-8")
    count = 0
    with open(path, "rb") as file:
        if start > 0:
            file.seek(start - 1)
            file.readline()  # the rest of the line that the part before counts
        while file.tell() < end:
            line = file.readline()
            if not line:
                break
            count += wanted in line
    return count


def parcount(path, word, workers):
    size = os.path.getsize(path)
    cuts = [size * i // workers for i in range(workers + 1)]
    parts = [(path, word, start, end) for start, end in zip(cuts, cuts[1:]) if start < end]
    with Pool(workers) as pool:
        return sum(pool.starmap(count_part, parts))
```"""

RIGHT = {
    "TestDebugBrokenCodeParcount": [
        "Three bugs: parts cut lines and characters in two, text files seek in bytes but read characters, and the rest "
        f"of the division was left out.\n\n{FIXED}",
        r"""Cut at line ends first, then each part is whole lines:

```python
import os
from concurrent.futures import ProcessPoolExecutor


def cuts_at_lines(path, workers):
    size = os.path.getsize(path)
    cuts = {0, size}
    with open(path, "rb") as file:
        for i in range(1, workers):
            file.seek(i * size // workers)
            file.readline()
            cuts.add(file.tell())
    return sorted(cuts)


def count_part(part):
    path, word, start, end = part
    with open(path, "rb") as file:
        file.seek(start)
        text = file.read(end - start).decode("utf-8")
    return sum(word in line for line in text.split("\n"))


def parcount(path, word, workers):
    cuts = cuts_at_lines(path, workers)
    parts = [(path, word, a, b) for a, b in zip(cuts, cuts[1:])]
    if not parts:
        return 0
    with ProcessPoolExecutor(max_workers=workers) as pool:
        return sum(pool.map(count_part, parts))
```""",
    ]
}

WRONG = {
    "TestDebugBrokenCodeParcount": [
        nothing,
        # the crash is gone, the seams are not
        r"""```python
import os
from multiprocessing import Pool

def count_part(path, word, start, size):
    with open(path, "rb") as file:
        file.seek(start)
        text = file.read(size).decode("utf-8", errors="replace")
    return sum(word in line for line in text.split("\n"))

def parcount(path, word, workers):
    total = os.path.getsize(path)
    size = total // workers + 1
    parts = [(path, word, i * size, size) for i in range(workers)]
    with Pool(workers) as pool:
        return sum(pool.starmap(count_part, parts))
```""",
        # right, but no longer parallel
        "```python\nfrom multiprocessing import Pool\n\ndef parcount(path, word, workers):\n"
        "    with open(path, encoding='utf-8') as file:\n        return sum(word in line for line in file)\n```",
        FIXED.replace("file.seek(start - 1)", "file.seek(start)"),  # loses a line that begins at the seam
        FIXED.replace("file.tell() < end", "file.tell() <= end"),  # counts it twice
        FIXED.replace("size * i // workers", "size // workers * i"),  # the end is left out
        FIXED.replace("pool.starmap(count_part, parts)", "pool.map(lambda part: count_part(*part), parts)"),
    ]
}
