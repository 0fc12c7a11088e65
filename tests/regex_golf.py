from evaluator import *

DESCRIPTION = "Can the model find the short regular expression that tells two lists apart?"
TAGS = ["regex", "puzzle"]
DETERMINISTIC = True

good_words = "noon effect commodity illicit manna peppery cassava assassin terrestrial allay affair otto"
bad_words = (
    "level balloon success banana kayak committee papaya hammer referee coffee tattoo possess aardvark "
    "teepee bookkeeper abbey minimum tartar"
)

question_words = f"""
Regex golf! I need a regular expression as short as possible (python's re.search, no flags) that matches somewhere in each of
these words

{good_words}

and in none of those

{bad_words}

Par is 12 characters, I count longer ones as lost. Put it on the last line, like REGEX: a.c
"""

question_thirds = """
Is there a regular expression for the binary numbers that can be divided by three? I mean strings of 0 and 1 of any length, most
significant first, leading zeros allowed, not empty; everything else must not match. Plain groups, stars and so on, it has to
work with grep -E and python's re.fullmatch alike, and be at most 30 characters. The last line of your answer should be just
REGEX: and the expression, without anything around it.
"""


def expression(reply):
    """What stands behind the last REGEX:, without backticks or anchoring spaces; a fence may follow the label."""
    found = re.findall(r"REGEX\W{0,3}:[*\s]*(?:```\w*\s*)?(\S[^\n]*)", reply)
    if not found:
        raise ValueError("there is no line REGEX: ...")
    pattern = found[-1].strip().removesuffix("**")  # of a line that is bold as a whole
    if len(pattern) > 1 and pattern[0] == pattern[-1] == "`":
        pattern = pattern.strip("`")
    return pattern


def tells_words_apart(pattern):
    wrong = [word for word in good_words.split() if not re.search(pattern, word)]
    wrong += [word for word in bad_words.split() if re.search(pattern, word)]
    return not wrong and len(pattern) <= 12, f"{pattern!r}, {len(pattern)} characters, wrong about: {wrong}"


def finds_thirds(pattern):
    import subprocess

    numbers = [format(n, f"0{width}b") for width in range(1, 11) for n in range(2**width)]
    numbers += [format(n, "b") for n in range(10**12, 10**12 + 40)] + [
        "0" * 50,
        "0" * 49 + "1",
        "1" * 60,
        "1" * 61,
    ]
    lines = [*numbers, "", "2", "a", "11 ", "0x11", "-11", "1.1"]
    wanted = {text for text in numbers if int(text, 2) % 3 == 0}
    python = {text for text in lines if re.fullmatch(pattern, text)}
    done = subprocess.run(
        ["grep", "-xE", "-e", pattern],
        input="\n".join(lines) + "\n",
        capture_output=True,
        text=True,
        timeout=10,
    )
    grep = set(done.stdout.split("\n")[:-1])
    log = f"{len(pattern)} characters; python wrong about {sorted(python ^ wanted)[:5]}, grep about {sorted(grep ^ wanted)[:5]}"
    return python == wanted == grep and len(pattern) <= 30, log


TestRegexGolf = question_words >> LLMRun() >> PyFunc(expression) >> PyEvaluator(tells_words_apart)
TestRegexGolfThirds = (
    question_thirds >> LLMRun() >> PyFunc(expression) >> PyEvaluator(finds_thirds, time_limit_s=10)
)

if __name__ == "__main__":
    print(run_test(TestRegexGolf))
    print(run_test(TestRegexGolfThirds))
