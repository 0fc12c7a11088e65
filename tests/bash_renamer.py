from evaluator import *

DESCRIPTION = "Can the model rename a folder of awkwardly named files with bash and lose none?"
TAGS = ["code", "bash"]
DETERMINISTIC = True

question = """
The current folder has scans named like

    Scan 2024-3-7 (2).PDF
    scan 2023-11-30.pdf

so "Scan" or "scan", a date with month and day of one or two digits, maybe a number in brackets, .PDF or .pdf. Write me
a bash script that renames them to 2024-03-07_2.pdf and 2023-11-30.pdf (month and day always two digits). Don't
overwrite anything: if the new name is taken already, leave the file as it is. Other files stay untouched. It must
cope with a folder without any scans as well. And no output please.
"""


def make_scans():
    names = {
        "Scan 2024-3-7 (2).PDF": "A",
        "scan 2023-11-30.pdf": "B",
        "Scan 2024-12-1.pdf": "C",
        "scan 2024-8-9.PDF": "D",
        "2024-08-09.pdf": "taken",
        "scan 2024-08-10 (12).pdf": "E",
        "Scan 2024-8-10 (12).txt": "no pdf",
        "rescan 2024-8-11.pdf": "other",
        "scan.pdf": "no date",
        "Scan 2024-3-7 (b).pdf": "no number",
        "notes (1).pdf": "notes",
        "-rf": "-",
    }
    for name, content in names.items():
        with open(name, "w") as file:
            file.write(content)


def all_renamed():
    import os

    expected = {
        "2024-03-07_2.pdf": "A",
        "2023-11-30.pdf": "B",
        "2024-12-01.pdf": "C",
        "scan 2024-8-9.PDF": "D",
        "2024-08-09.pdf": "taken",
        "2024-08-10_12.pdf": "E",
        "Scan 2024-8-10 (12).txt": "no pdf",
        "rescan 2024-8-11.pdf": "other",
        "scan.pdf": "no date",
        "Scan 2024-3-7 (b).pdf": "no number",
        "notes (1).pdf": "notes",
        "-rf": "-",
    }
    ours = [name for name in os.listdir(".") if name.lower().endswith((".pdf", ".txt")) or name == "-rf"]
    found = {}
    for name in ours:
        with open(name) as file:
            found[name] = file.read()
    return found == expected, f"found {found}"


TestBashRenamer = (
    Setup(make_scans)
    >> question
    >> LLMRun()
    >> ExtractCode(lang="bash", keep_main=True)
    >> BashRun()
    >> (EqualEvaluator("") & PyEvaluator(all_renamed))
)

if __name__ == "__main__":
    print(run_test(TestBashRenamer))
