from evaluator import *

DESCRIPTION = (
    "Can the model read a timetable with its footnotes: last train, changes, trains that do not stop?"
)
TAGS = ["data", "reasoning"]

timetable = """
This is the timetable on our platform:

Mondays to Fridays
                         1      2      3      4      5
Oster Quay      dep   6 12   6 42   7 05   7 42   8 15
Millbrook       dep   6 25    |     7 18   7 55    |
Fernleigh       arr   6 41   7 04   7 34   8 11   8 37
Fernleigh       dep   6 44   7 06   7 40   8 14   8 39
Castle Street   dep   6 52   7 15s  7 48   8 22    |
North Haven     arr   7 10   7 31   8 06   8 40   8 58

Fernleigh       dep   6 45   7 10a  7 38   8 20   8 45
Bell Abbey      arr   7 05   7 26a  7 58   8 40   9 05

|  does not stop      s  only to get off      a  not on Mondays
Allow at least 5 minutes to change trains at Fernleigh.

"""

question_latest = (
    timetable
    + """I live in Millbrook and work next to the station Castle Street, where I have to be at 8 at the latest on
Wednesday. What's the last train I can take? Reply with just its departure time."""
)
question_change = (
    timetable
    + """I need to get from Oster Quay to Bell Abbey on Monday, getting there as early as I can, but I can't leave
before half past six. When do I leave, and when am I there? Reply with just the two times."""
)
question_board = (
    timetable
    + """A friend drops me off at Castle Street at 7 on Tuesday. When can I be in North Haven by train at the
earliest? Reply with just the time."""
)


def says(*times):
    """Whether the reply, or where reasons are given its first or last line, names these times and no others."""

    def names_the_times(reply):
        lines = [line for line in reply.splitlines() if re.search(r"\d", line)]
        ends = [lines[-1], " ".join(lines)] if lines else []
        if lines and len(re.findall(r"[a-zA-Z]", lines[0])) <= 20:  # the answer first, reasons behind
            ends.append(lines[0])
        found = [
            [f"{int(h)}:{m}" for h, m in re.findall(r"\b([012]?\d)[ :.h]([0-5]\d)\b", line)] for line in ends
        ]
        return list(times) in found, f"found {found[:2]}"

    return names_the_times


TestTrainTimetableLatest = question_latest >> LLMRun() >> PyFunc(says("7:18"))
TestTrainTimetableChange = question_change >> LLMRun() >> PyFunc(says("6:42", "7:58"))
TestTrainTimetableBoard = question_board >> LLMRun() >> PyFunc(says("8:06"))

if __name__ == "__main__":
    print(run_test(TestTrainTimetableLatest))
    print(run_test(TestTrainTimetableChange))
    print(run_test(TestTrainTimetableBoard))
