from evaluator import *

DESCRIPTION = "Does the model know what AVX's broadcast instructions do to each lane?"
TAGS = ["assembly", "explain"]
DETERMINISTIC = True

question = """
Reading a compiler's output I've come across these (intel syntax). rsi points to the eight floats 10 20 30 40 50 60 70 80.
Could you explain the three vbroadcast... instructions, how they differ, and tell me which eight floats are in ymm0 at the
end? Lowest element first, please, on the last line of your answer, with commas between.

    vbroadcastf128 ymm0, [rsi]
    vbroadcastsd   ymm1, [rsi+8]
    vblendps       ymm0, ymm0, ymm1, 0xF0
    vbroadcastss   ymm2, xmm0
    vaddps         ymm0, ymm0, ymm2
"""


def last_eight(reply):
    """The numbers on the last line that holds eight of them."""
    lines = [re.findall(r"(?<![\w.])\d+(?:\.\d+)?", line) for line in reply.split("\n")]
    lines = [numbers for numbers in lines if len(numbers) >= 8]
    return [float(number) for number in lines[-1][-8:]] if lines else []


TestExplainVbroadcast = (
    question
    >> LLMRun()
    >> PyFunc(last_eight)
    >> EqualEvaluator([20.0, 30.0, 40.0, 50.0, 40.0, 50.0, 40.0, 50.0])
)

if __name__ == "__main__":
    print(run_test(TestExplainVbroadcast))
