from evaluator import *

DESCRIPTION = "Can the model spread files over 16 of about the same size, and in order as evenly as possible?"
TAGS = ["code", "python", "files", "algorithm"]
DETERMINISTIC = True

question_script = """
I have a folder parts/ full of .txt files of very different sizes and our loader wants exactly 16. please write a python
script that merges them into merged/00.txt to merged/15.txt, so that the 16 are about the same size (a few per cent, I have no
single part that would be too large for that).
A file must stay in one piece, which goes where doesn't matter. If one doesn't end in a newline put one behind it, so
that lines don't run together (empty ones stay empty). Other files in there stay out of it. Not all are clean utf-8, the bytes have to stay as
they are. If merged/ is still there from last time, its old files have to go. If there are fewer than 16 parts the rest
are empty files. Standard library only.
"""


def part_sizes():
    """60 files, a few of them large: in turn or by name they would come out uneven."""
    sizes = [9000, 8200, 7600, 7000, 6400, 5900, 5200, 4400, 300, 150, 120, 90, 60, 40, 20, 10]
    sizes += [1000 + (i * 677) % 2900 for i in range(44)]
    return [sizes[i * 23 % len(sizes)] for i in range(len(sizes))]


def part(i, size):
    """The i-th file's bytes, some without a newline at the end, some not utf-8, one empty."""
    if i == 7:
        return b""
    line = b"%03d \xe9 %s\r\n" % (i, b"abcdefghij"[: i % 10]) if i % 3 else b"%03d caf\xc3\xa9\n" % i
    data = (line * (size // len(line) + 1))[:size]
    return data if i % 4 else data.rstrip() + b"\n"


def make_parts():
    os.makedirs("parts/old")
    os.makedirs("merged")
    for i, size in enumerate(part_sizes()):
        with open(f"parts/{i}.txt", "wb") as file:
            file.write(part(i, size))
    for name in ("parts/notes.md", "parts/7.txt.bak", "merged/16.txt", "merged/old.txt"):
        with open(name, "wb") as file:
            file.write(b"not this one\n")


def are_even():
    names = sorted(os.listdir("merged"))
    if names != [f"{i:02d}.txt" for i in range(16)]:
        return False, f"merged/ holds {names}"
    rest = {}
    for i, size in enumerate(part_sizes()):
        data = part(i, size)
        if data:
            rest[b"%03d " % i] = data if data.endswith(b"\n") else data + b"\n"
    sizes = []
    for name in names:
        with open("merged/" + name, "rb") as file:
            data = file.read()
        sizes.append(len(data))
        while data:
            whole = rest.pop(data[:4], None)
            if whole is None or not data.startswith(whole):
                return False, f"{name} is not made of whole parts, each once: {data[:40]}"
            data = data[len(whole) :]
    if rest:
        return False, f"left out: {sorted(rest)}"
    return max(sizes) <= 1.06 * sum(sizes) / 16, f"sizes {sizes}"


def make_few():
    subprocess.run(
        "rm -rf parts merged; mkdir parts; printf a > parts/a.txt; printf 'b\\n' > parts/b.txt", shell=True
    )


def are_few():
    contents = []
    for i in range(16):
        with open(f"merged/{i:02d}.txt", "rb") as file:
            contents.append(file.read())
    return sorted(contents) == [b""] * 14 + [b"a\n", b"b\n"], f"{contents}"


question_order = """
I need to split a long list of files in 16 groups for 16 machines, but the files must stay in their order: the first
group gets the first files, the next one those after and so on. Write a python function split16(sizes): sizes are the
sizes of the files in order (whole numbers, can be 0), it returns a list of 16 lists of sizes. The largest group (by
sum) should be as small as at all possible. Groups may be empty. There can be 100000 files of many gigabytes, so
please something fast.
"""

header_order = """
import random

def least(sizes):
    low, high = max(sizes, default=0), sum(sizes)
    while low < high:
        limit, groups, room = (low + high) // 2, 1, (low + high) // 2
        for size in sizes:
            if size > room:
                groups, room = groups + 1, limit
            room -= size
        low, high = (low, limit) if groups <= 16 else (limit + 1, high)
    return low

def problems(sizes):
    groups = [list(group) for group in split16(list(sizes))]
    if len(groups) != 16:
        return f"{len(groups)} groups"
    if [size for group in groups for size in group] != list(sizes):
        return "not the same files in the same order"
    largest = max(map(sum, groups))
    return "" if largest == least(sizes) else f"largest {largest}, could be {least(sizes)}"

def random_ones():
    rng = random.Random(3)
    found = set()
    for _ in range(300):
        most = rng.choice([1, 3, 50, 10 ** 12])
        found.add(problems([rng.randint(0, most) for _ in range(rng.randint(0, 60))]))
    return found
"""

test_order, answer_order = make_python_test(
    [
        ("problems([])", "''"),
        ("problems([5])", "''"),
        ("problems([0] * 40)", "''"),
        ("problems(range(1, 17))", "''"),
        ("problems([1] * 17)", "''"),
        ("problems([9] + [1] * 30)", "''"),
        ("problems([1] * 30 + [40])", "''"),
        ("random_ones()", "{''}"),
        ("problems([i * 7919 % 10 ** 10 for i in range(60000)])", "''"),
    ],
    header=header_order,
)

TestMergeInto16 = (
    Setup(make_parts)
    >> question_script
    >> LLMRun()
    >> ExtractCode(keep_main=True, lang="python")
    >> MakeFile("merge.py")
    >> "python3 merge.py"
    >> TerminalRun()
    >> (
        PyEvaluator(are_even)
        & (Setup(make_few) >> "python3 merge.py" >> TerminalRun() >> PyEvaluator(are_few))
    )
)
TestMergeInto16InOrder = (
    question_order
    >> LLMRun()
    >> ExtractCode(lang="python")
    >> PythonRun(test_order)
    >> SubstringEvaluator(answer_order)
)

if __name__ == "__main__":
    print(run_test(TestMergeInto16))
    print(run_test(TestMergeInto16InOrder))
