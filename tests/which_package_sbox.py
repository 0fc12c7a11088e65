from evaluator import *

DESCRIPTION = "Does the model know where a class comes from, by its methods alone?"
TAGS = ["knowledge", "python"]

question = """
The appendix of a paper has this snippet, of course without any imports, and pip install sbox gives me something else
altogether:

S = SBox(12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2)
D = S.difference_distribution_table()
print(D[1], S.differential_uniformity(), S.linear_branch_number(), S.interpolation_polynomial())

What do I have to install (I use conda; into this environment or a new one, as you like) and what do I import? One code block
with exactly two lines please: the conda (or mamba) command and the line that imports SBox. Explanations outside of the block.
"""


def names_the_package(code):
    lines = [re.sub(r"\s+#.*", "", line.strip()).lstrip("$> ") for line in code.strip().splitlines()]
    lines = [line for line in lines if line and not line.startswith("#")]
    if len(lines) != 2:
        return False, f"{len(lines)} lines instead of two"
    command, imported = lines
    installs = re.match(r"(conda|mamba|micromamba)\s+(install|create)\s", command)
    package = re.search(r"(\s|::)[\"']?sage(math)?(\s|$|[=<>\"'])", command)
    right_import = re.fullmatch(r"from sage\.crypto\.(mq\.)?sboxe?s? import SBox", imported)
    return bool(installs and package and right_import), f"{command!r}, {imported!r}"


TestWhichPackageSBox = question >> LLMRun() >> ExtractCode() >> PyFunc(names_the_package)

if __name__ == "__main__":
    print(run_test(TestWhichPackageSBox))
