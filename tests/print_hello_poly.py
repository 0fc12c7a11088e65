from evaluator import *

DESCRIPTION = "Can the model write one file that is a valid program in two languages?"
TAGS = ["code", "c", "rust", "python"]
DETERMINISTIC = True

question_c = """
I want one source file that works in two languages. When I compile it with gcc as C and start it, it should
print hello world, and when I run the very same file with python3 it should print hello world as well.
Give me that file, in one code block.
"""

question_rust = """
Is there a way to have a single file that rustc compiles to a program that prints hello world, and that
prints hello world too if I feed the unchanged file to python3? Please write it for me, in one code block.
"""

# A whole line: a compiler that quotes the source in its complaint has not said hello.
says_hello = RegexEvaluator(r"(?m)^hello,? world[!.]?$", ignore_case=True)

TestPrintHelloPolyC = (
    question_c
    >> LLMRun()
    >> ExtractCode(keep_main=True)
    >> ((CRun() >> says_hello) & (PythonRun() >> says_hello))
)
TestPrintHelloPolyRust = (
    question_rust
    >> LLMRun()
    >> ExtractCode(keep_main=True)
    >> ((RustRun() >> says_hello) & (PythonRun() >> says_hello))
)

if __name__ == "__main__":
    print(run_test(TestPrintHelloPolyC))
    print(run_test(TestPrintHelloPolyRust))
