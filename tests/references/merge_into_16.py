def nothing(messages):
    return ""


MERGE = r"""```python
import heapq
import shutil
from pathlib import Path

COUNT = 16

parts = [path for path in Path("parts").iterdir() if path.is_file() and path.suffix == ".txt"]
parts.sort(key=lambda path: path.stat().st_size, reverse=True)

target = Path("merged")
shutil.rmtree(target, ignore_errors=True)
target.mkdir()

heap = [(0, i) for i in range(COUNT)]
files = [open(target / f"{i:02d}.txt", "wb") for i in range(COUNT)]
for path in parts:
    size, i = heapq.heappop(heap)
    data = path.read_bytes()
    if data and not data.endswith(b"\n"):
        data += b"\n"
    files[i].write(data)
    heapq.heappush(heap, (size + len(data), i))
for file in files:
    file.close()
```"""

SPLIT = """```python
def split16(sizes):
    def groups_for(limit):
        groups, current, total = [], [], 0
        for size in sizes:
            if current and total + size > limit:
                groups.append(current)
                current, total = [], 0
            current.append(size)
            total += size
        groups.append(current)
        return groups

    low, high = max(sizes, default=0), sum(sizes)
    while low < high:
        middle = (low + high) // 2
        if len(groups_for(middle)) <= 16:
            high = middle
        else:
            low = middle + 1
    groups = groups_for(low)
    return groups + [[] for _ in range(16 - len(groups))]
```"""

RIGHT = {
    "TestMergeInto16": [
        f"The largest first, each into the file that is smallest so far:\n\n{MERGE}",
        r"""```python
#!/usr/bin/env python3
import glob
import os

def main():
    names = glob.glob("parts/*.txt")
    names.sort(key=os.path.getsize)
    os.makedirs("merged", exist_ok=True)
    for old in os.listdir("merged"):
        os.remove(os.path.join("merged", old))
    totals = [0] * 16
    outs = [b""] * 16
    while names:
        name = names.pop()
        with open(name, "rb") as f:
            text = f.read()
        k = totals.index(min(totals))
        totals[k] += len(text)
        outs[k] += text if text.endswith(b"\n") else text + b"\n" if text else b""
    for k, text in enumerate(outs):
        with open("merged/%02d.txt" % k, "wb") as f:
            f.write(text)

if __name__ == "__main__":
    main()
```""",
    ],
    "TestMergeInto16InOrder": [
        SPLIT,
        """A binary search over running sums:

```python
from bisect import bisect_right
from itertools import accumulate


def split16(sizes):
    ends = [0, *accumulate(sizes)]

    def cuts(limit):
        at, found = 0, []
        for _ in range(16):
            at = bisect_right(ends, ends[at] + limit) - 1
            found.append(at)
        return found

    low, high = -1, ends[-1]
    while high - low > 1:
        middle = (low + high) // 2
        if cuts(middle)[-1] == len(sizes):
            high = middle
        else:
            low = middle
    start, groups = 0, []
    for end in cuts(high):
        groups.append(sizes[start:end])
        start = end
    return groups
```""",
    ],
}

WRONG = {
    "TestMergeInto16": [
        nothing,
        # in turn: the same number of files, not of bytes
        MERGE.replace("size, i = heapq.heappop(heap)", "size, i = 0, parts.index(path) % COUNT"),
        MERGE.replace("parts.sort(key=lambda path: path.stat().st_size, reverse=True)", "parts.sort()"),
        MERGE.replace('data += b"\\n"', "pass"),
        MERGE.replace("path.read_bytes()", "path.read_text(errors='replace').encode()"),
        MERGE.replace(
            "shutil.rmtree(target, ignore_errors=True)\ntarget.mkdir()", "target.mkdir(exist_ok=True)"
        ),
        MERGE.replace('path.suffix == ".txt"', 'path.name != "old"'),
        MERGE.replace("data and not data.endswith", "not data.endswith"),
        "```bash\nmkdir -p merged; cat parts/*.txt | split -n l/16 -d --additional-suffix=.txt - merged/\n```",
        "```python\n# merges parts/ into merged/00.txt to merged/15.txt\nprint('16 files written')\n```",
    ],
    "TestMergeInto16InOrder": [
        nothing,
        # whenever the average is reached
        """```python
def split16(sizes):
    average = sum(sizes) / 16
    groups, total = [[]], 0
    for size in sizes:
        if len(groups) < 16 and groups[-1] and total + size > average:
            groups.append([])
            total = 0
        groups[-1].append(size)
        total += size
    return groups + [[] for _ in range(16 - len(groups))]
```""",
        # the order is lost
        """```python
def split16(sizes):
    largest_first = sorted(sizes, reverse=True)
    return [largest_first[i::16] for i in range(16)]
```""",
        SPLIT.replace("return groups + [[] for _ in range(16 - len(groups))]", "return groups"),
        SPLIT.replace("max(sizes, default=0)", "max(sizes)"),
        SPLIT.replace("low < high", "low < high - 1"),
        "```python\ndef split16(sizes):\n    # binary search\n    return [sizes[i::16] for i in range(16)]\n```",
    ],
}
