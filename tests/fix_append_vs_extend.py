from evaluator import *

DESCRIPTION = "Can the model find an append that should be an extend, from the wrong output alone?"
TAGS = ["code", "python", "debug"]
DETERMINISTIC = True

question = """
I collect all file names of a folder tree that came as nested dicts, but I get lists inside of lists:

def all_files(folder, path=""):
    found = []
    for name, content in sorted(folder.items()):
        here = path + name
        if isinstance(content, dict):
            found.append(all_files(content, here + "/"))
        else:
            found.append(here)
    return found

tree = {"a.txt": 10, "src": {"main.c": 300, "lib": {"x.h": 7}}, "empty": {}}
print(all_files(tree))
# ['a.txt', [], ['src/lib...   but I want  ['a.txt', 'src/lib/x.h', 'src/main.c']

what do I have to change? give me the whole function
"""

test_case, answer = make_python_test(
    [
        (
            "all_files({'a.txt': 10, 'src': {'main.c': 300, 'lib': {'x.h': 7}}, 'empty': {}})",
            "['a.txt', 'src/lib/x.h', 'src/main.c']",
        ),
        ("all_files({})", "[]"),
        ("all_files({'e': {'e': {'e': {}}}})", "[]"),
        ("all_files({'z': 1, 'b': {'q': 2, 'a': 3}, 'a': 4})", "['a', 'b/a', 'b/q', 'z']"),
        ("all_files({'d': {'d': {'d': {'d': 0}}}})", "['d/d/d/d']"),
        ("all_files({'x': 1}, 'home/')", "['home/x']"),
        ("(all_files({'x': 1}), all_files({'y': 1}))", "(['x'], ['y'])"),
    ]
)

TestFixAppendVsExtend = (
    question >> LLMRun() >> ExtractCode(lang="python") >> PythonRun(test_case) >> SubstringEvaluator(answer)
)

if __name__ == "__main__":
    print(run_test(TestFixAppendVsExtend))
