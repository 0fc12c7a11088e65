from evaluator import *

DESCRIPTION = "Does the model know Go's FormatFloat well enough to say what it prints?"
TAGS = ["knowledge", "go", "explain"]

question = """
go newbie, coming from printf: what on earth are the last two arguments of strconv.FormatFloat? Explain briefly and tell me
what these give. End with a json list of the eight strings, in this order:

strconv.FormatFloat(2.5, 'f', 0, 64)
strconv.FormatFloat(1e21, 'f', -1, 64)
strconv.FormatFloat(float64(float32(0.1)), 'f', -1, 64)
strconv.FormatFloat(float64(float32(0.1)), 'f', -1, 32)
strconv.FormatFloat(1234567, 'g', 3, 64)
strconv.FormatFloat(1000000, 'g', -1, 64)
strconv.FormatFloat(0.000123456, 'e', 2, 64)
strconv.FormatFloat(100, 'f', 2, 32)
"""

goal = [
    "2",  # exactly half way goes to the even digit
    "1" + "0" * 21,
    "0.10000000149011612",
    "0.1",
    "1.23e+06",
    "1e+06",  # the shortest digits, but %e from 1e6 on, as if the precision were 6
    "1.23e-04",
    "100.00",
]


def same_list(text):
    found = json.loads(text)
    return found == goal, f"{found} should be {goal}"


TestWhatIsFormatFloat = question >> LLMRun() >> ExtractJSON() >> PyFunc(same_list)

if __name__ == "__main__":
    print(run_test(TestWhatIsFormatFloat))
