from evaluator import *

DESCRIPTION = "Can the model count words in several processes, so that errors and odd input come through?"
TAGS = ["code", "python", "parallel"]

question = """
Counting words in our archive takes hours on one core. Please write wordcount.py with a function
count_words(paths, processes): paths is a list of text files, and the work is to be spread over that many processes, file
by file is fine (threads don't help us). Returns a dict or Counter word -> number over all files.

A word is a run of letters (also é or ß, but no digits, no underscore), everything else separates. Case doesn't
matter, count them as lower case. The files are utf-8 with a few broken bytes here and there, these separate words too.
A file that can't be opened has to raise that error in the caller, it must not hang or be left out quietly. I import it
from another program, so nothing should run on import. Standard library.
"""

header = r"""
import os, resource, sys, threading, time
from wordcount import count_words

WORDS = ["tide", "Tide", "Über", "ÜBER", "don't", "x2y", "snake_case", "naïve,", "--", "42", "fin"]

def write(name, data):
    with open(name, "wb") as file:
        file.write(data)
    return name

def small():
    one = write("one.txt", "Tide tide\tTIDE\n\nüber don't 3 a1b c_d Straße\u00adx 漢字".encode())
    two = write("two.txt", b"tide \xff\xfeti\xffde caf\xc3\xa9 caf\xc3 \xe6\xbc")
    return dict(count_words([one, two, one], 2))

def spread():
    paths = []
    for k in range(6):
        paths.append(write(f"big{k}.txt", (" ".join(WORDS) + f" nr{'abcdef'[k]} ").encode() * 24000))
    busy, others = {}, set(os.listdir("/proc"))
    done = threading.Event()
    def watch():
        while not done.is_set():
            for name in os.listdir("/proc"):
                try:
                    with open(f"/proc/{name}/stat") as file:
                        fields = file.read().rpartition(")")[2].split()
                    if name.isdigit() and name not in others:
                        busy[name] = int(fields[11]) + int(fields[12])
                except (OSError, IndexError):
                    pass
            time.sleep(0.02)
    threading.Thread(target=watch, daemon=True).start()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    counts = count_words(paths, 3)
    done.set()
    own = resource.getrusage(resource.RUSAGE_SELF).ru_utime - before
    theirs = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    workers = sum(ticks >= 3 for ticks in busy.values())
    totals = {word: counts[word] for word in ("tide", "über", "don", "y", "snake", "nrc")}
    return totals, theirs > own, "workers: " + ("several" if workers >= 2 else str(workers))

def missing():
    try:
        count_words([write("there.txt", b"a"), "nowhere.txt"], 2)
    except FileNotFoundError:
        return "raised"
"""

test_case, answer = make_python_test(
    [
        (
            "small()",
            {
                "tide": 7,
                "über": 2,
                "don": 2,
                "t": 2,
                "a": 2,
                "b": 2,
                "c": 2,
                "d": 2,
                "straße": 2,
                "x": 2,
                "漢字": 2,
                "ti": 1,
                "de": 1,
                "café": 1,
                "caf": 1,
            },
        ),
        ("dict(count_words([], 4))", "{}"),
        ("dict(count_words([write('empty', b''), write('w', b'w')], 8))", "{'w': 1}"),
        ("dict(count_words([write('w', b'w W')], 1))", "{'w': 2}"),
        (
            "spread()",
            "({'tide': 288000, 'über': 288000, 'don': 144000, 'y': 144000, 'snake': 144000, 'nrc': 24000}, "
            "True, 'workers: several')",
        ),
        ("missing()", "'raised'"),
    ],
    header=header,
)

TestPythonParallelWordcount = (
    question
    >> LLMRun()
    >> ExtractCode(lang="python")
    >> MakeFile("wordcount.py")
    >> "import wordcount"
    >> PythonRun(test_case)
    >> SubstringEvaluator(answer)
)

if __name__ == "__main__":
    print(run_test(TestPythonParallelWordcount))
