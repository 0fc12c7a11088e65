from evaluator import *

DESCRIPTION = "Can the model work on a pasted table itself, and write the code that does it for any table?"
TAGS = ["data", "code", "python"]
DETERMINISTIC = True

question_best = """
| nr | team    | rower     | date       | km   | weather |
|----|---------|-----------|------------|------|---------|
| 1  | Otters  | Liv       | 2024-05-03 | 12.5 | sun     |
| 2  | Herons  | Max       | 2024-05-03 | 9    | sun     |
| 3  | otters  | Tariq     | 2024-05-04 | 7.5  | rain    |
| 4  | Pikes   | Jo        | 2024-05-04 | 15   |         |
| 5  | Herons  | Max       | 2024-05-10 | 11.5 | wind    |
| 6  | Otters  | Liv       | 2024-05-11 | -    | storm   |
| 7  | Herons  | Sun-hee   | 2024-05-11 | 20.5 | storm   |
| 8  | Otters  | Tariq     | 2024-05-17 | 8    | sun     |
| 9  | Pikes   | Jo        | 2024-05-18 | 3    | rain    |
| 10 | Pikes   | Wim       | 2024-05-18 | 9.5  | rain    |
| 11 | Otters  | Liv       | 2024-05-25 | 4    | sun     |
| 12 | Herons  | Max       | 2024-06-01 | 6    | sun     |
| 13 | Pikes   | Wim       | 2024-05-25 | 10   | sun     |
| 14 | Otters  | Liv       | 2024-05-26 | 1.5  | fog     |
| 15 | Herons  | Sun-hee   | 2024-04-30 | 30   | sun     |

Hi! For our newsletter I need, for each team, who rowed the most kilometres in May and how many those were, but only of
those who went out at least twice in May (a - means the trip was called off, that's not a trip). As CSV with the header
team,rower,km, the team with the highest km first. Just the CSV please.
"""

best = [["otters", "liv", 18.0], ["pikes", "wim", 19.5], ["herons", "max", 20.5]]


def read_csv(reply):
    """The rows of the CSV in a reply, below its header: texts in lower case, kilometres as numbers."""
    lines = [[cell.strip().strip('"').lower() for cell in line.split(",")] for line in reply.splitlines()]
    at = lines.index(["team", "rower", "km"])
    rows = []
    for line in lines[at + 1 :]:
        if len(line) != 3:
            break
        rows.append([line[0], line[1], float(line[2])])
    return rows


question_pivot = r"""
We keep numbers in markdown tables in our wiki and I want sums out of them. Please write a python function
pivot(text, row, column, value), no libraries besides the standard one. text is a page, the first table in it counts:
a header line, a line of dashes (maybe with colons) and then the data lines, up to the first line without a |. There are no
tables in code fences. The | at both ends of a line may be missing. A \| in a cell is a | that belongs to it. Blanks around a cell
don't count, and a line may have fewer cells than the header, the missing ones are empty, or more, leave those out.

row, column and value are names of columns. I want {row's cell: {column's cell: sum of value's numbers}}, for example
{"Otters": {"May": 25.5, "June": 3}}. Numbers are like 12, -3, 1,250 or 0.5 (no other forms come up); lines where value isn't a number are left
out altogether. A ValueError if there is no table or one of the columns isn't in it.
"""

header = r'''
def near(table):
    return {row: {column: round(float(n), 6) for column, n in sums.items()} for row, sums in table.items()}

PAGE = r"""# Trips

Some text | that is no table.

| team | month | km | note |
|:-----|:-----:|---:|------|
| Otters | May | 12.5 | a \| b |
| Herons | May | 1,250 |
|Otters|June|3||extra|
| Otters | May | 13 | x |
| Herons | May | - | y |
| Herons | July | n/a | y |
|  | May | -0.5 | z |

| team | month | km |
|------|-------|----|
| Pikes | May | 9 |
"""

BARE = """a | b | n
--- | --- | ---
x | y | 1
x | y \\| z | 2
x | | 3
the end
x | y | 100
"""

def refuses(text, *names):
    try:
        return f"no error but {pivot(text, *names)}"
    except ValueError:
        return True
'''

test_case, answer = make_python_test(
    [
        (
            "near(pivot(PAGE, 'team', 'month', 'km'))",
            {"Otters": {"May": 25.5, "June": 3}, "Herons": {"May": 1250}, "": {"May": -0.5}},
        ),
        (
            "near(pivot(PAGE, 'note', 'team', 'km'))",
            {
                "a | b": {"Otters": 12.5},
                "": {"Herons": 1250, "Otters": 3},
                "x": {"Otters": 13},
                "z": {"": -0.5},
            },
        ),
        ("near(pivot(BARE, 'a', 'b', 'n'))", {"x": {"y": 1, "y | z": 2, "": 3}}),
        ("near(pivot(BARE, 'b', 'b', 'n'))", {"y": {"y": 1}, "y | z": {"y | z": 2}, "": {"": 3}}),
        (r"near(pivot('|a|n|\n|---|---|\n|q|0|', 'a', 'a', 'n'))", {"q": {"q": 0}}),
        (r"near(pivot('|a|n|\n|---|---|', 'a', 'a', 'n'))", {}),
        (
            r"near(pivot('|a|n|\n|:---:|---|\n|q|12,345,678.25|\n|q|1e|\n', 'a', 'a', 'n'))",
            {"q": {"q": 12345678.25}},
        ),
        ("refuses(PAGE, 'team', 'month', 'miles')", True),
        ("refuses('no table', 'a', 'b', 'c')", True),
        ("refuses('', 'a', 'b', 'c')", True),
        (r"refuses('a | b\nc | d\n', 'a', 'b', 'b')", True),
    ],
    header=header,
)

TestDataTableBest = question_best >> LLMRun() >> PyFunc(read_csv) >> EqualEvaluator(best[::-1])
TestDataTablePivot = (
    question_pivot
    >> LLMRun()
    >> ExtractCode(lang="python")
    >> PythonRun(test_case)
    >> SubstringEvaluator(answer)
)

if __name__ == "__main__":
    print(run_test(TestDataTableBest))
    print(run_test(TestDataTablePivot))
