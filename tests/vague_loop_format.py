from evaluator import *

DESCRIPTION = "Can the model continue a list of ids when the format is only shown, never explained?"
TAGS = ["format", "data"]

question = """
complete this list of seat ids for me, up to and including row 12. one id a line, nothing else

R01-A+
R01-B
R01-C+
R02-A
R02-B+
R02-C
R03-A+
"""

seats = [f"R{row:02d}-{seat}" for row in range(1, 13) for seat in "ABC"]
full = [seat + ("+" if i % 2 == 0 else "") for i, seat in enumerate(seats)]


def continues_the_list(reply):
    """The whole list, or only its rest, with or without the last line of the example."""
    ids = re.findall(r"R\d+-\w\+?", reply)
    return ids in (full, full[6:], full[7:]), f"found {len(ids)} ids, the last {ids[-3:]}"


TestVagueLoopFormat = question >> LLMRun() >> PyFunc(continues_the_list)

if __name__ == "__main__":
    print(run_test(TestVagueLoopFormat))
