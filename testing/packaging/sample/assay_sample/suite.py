"""Doubled numbers, scored by how close the answer comes: `--suite doubles`."""

from assay import LLMRun, PyFunc, Score
from assay.suites.suite import Sample, Suite


def closeness(right):
    said = f"the right answer is {right}"  # shown beside the score

    def judge(reply):
        try:
            error = abs(int(reply.strip()) - right) / right
        except ValueError:
            return Score(0.0, passed=False), said
        return Score(max(0.0, 1 - error), passed=error == 0), said

    return judge


class Doubles(Suite):
    name = "doubles"  # of the entry point too
    description = "Numbers to be doubled"
    scores = (0, 1)

    def samples(self, options):
        for a in range(1, options.doubles + 1):
            question = f"What is {a} + {a}? Reply with the number only."
            yield Sample(
                id=f"doubles.Double{a}",
                test=question >> LLMRun() >> PyFunc(closeness(a + a)),
                source=__file__,
            )

    def flags(self, parser):
        parser.add_argument("--doubles", type=int, default=10, metavar="N", help="how many (default 10)")

    def references(self, trial, right):
        """What the oracle (`right`) or the saboteur replies."""
        a = int(trial.test.removeprefix("doubles.Double"))
        return [str(a + a if right else a)]
