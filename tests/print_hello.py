from evaluator import *

DESCRIPTION = "Can the model write the first program that everybody writes?"
TAGS = ["code", "python", "hello"]
DETERMINISTIC = True

TestPrintHello = (
    "Write hello world in python"
    >> LLMRun()
    >> ExtractCode(lang="python")
    >> PythonRun()
    >> RegexEvaluator(r"(?m)^hello,?\s+world\W*$", ignore_case=True)
)

if __name__ == "__main__":
    print(run_test(TestPrintHello))
