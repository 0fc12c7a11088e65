def nothing(messages):
    return ""


POOL = r"""```python
import re
from collections import Counter
from multiprocessing import Pool

WORD = re.compile(r"[^\W\d_]+")


def count_file(path):
    counts = Counter()
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            counts.update(WORD.findall(line.lower()))
    return counts


def count_words(paths, processes):
    total = Counter()
    with Pool(processes) as pool:
        for counts in pool.imap_unordered(count_file, paths):
            total.update(counts)
        pool.close()
        pool.join()
    return total
```"""

RIGHT = {
    "TestPythonParallelWordcount": [
        f"One task a file; an exception in a worker is raised again by `imap_unordered`.\n\n{POOL}",
        r"""```python
import multiprocessing
from concurrent.futures import ProcessPoolExecutor


def _count(path):
    with open(path, "rb") as f:
        text = f.read().decode("utf-8", "replace").lower()
    table = {}
    cleaned = "".join(c if c.isalpha() else " " for c in text)
    for word in cleaned.split():
        table[word] = table.get(word, 0) + 1
    return table


def count_words(paths, processes):
    result = {}
    if not paths:
        return result
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(processes, len(paths)), mp_context=context) as pool:
        for table in pool.map(_count, paths):
            for word, n in table.items():
                result[word] = result.get(word, 0) + n
    return result


if __name__ == "__main__":
    import sys
    print(count_words(sys.argv[1:], 4))
```""",
    ]
}

WRONG = {
    "TestPythonParallelWordcount": [
        nothing,
        # threads, whatever the name says
        POOL.replace("from multiprocessing import", "from multiprocessing.pool import ThreadPool as"),
        POOL.replace('"replace"', '"ignore"'),  # joins what a broken byte separates
        POOL.replace(r"[^\W\d_]+", r"\w+"),
        POOL.replace(r"[^\W\d_]+", "[a-z]+"),
        # leaves files out quietly
        POOL.replace(
            "    counts = Counter()\n",
            "    counts = Counter()\n    import os\n    if not os.path.exists(path):\n        return counts\n",
        ),
        POOL.replace("Pool(processes)", "Pool(1)"),
        POOL.replace(
            "for counts in pool.imap_unordered(count_file, paths)", "for counts in map(count_file, paths)"
        ),
        "```python\nfrom multiprocessing import Pool\n\ndef count_words(paths, processes):\n"
        "    with Pool(processes) as pool:\n        return pool.map(lambda path: open(path).read().split(), paths)\n```",
    ]
}
