from evaluator import *

DESCRIPTION = "Can the model write a script that cleans an untidy export and says what it threw away?"
TAGS = ["code", "python", "data", "csv"]
DETERMINISTIC = True

question = """
I export our members from an old program as members.csv and it's a mess. please write a python script (standard library)
that makes a tidy clean.csv out of it:

columns name;email;since;paid in that order, with a header, separated by ; and otherwise normal csv (either kind of line end). The export has a
header too, separated by commas, but the columns can be in any order, there may be others (drop them), headers may have
spaces around or capitals. The file is utf-8, maybe with a BOM.
- name: no spaces at the ends, several inside become one
- email: lower case, no spaces around. rows without exactly one @, or with nothing before or behind it, are left out
- since: comes as 2021-03-09, 9.3.2021 or 3/9/2021 (american), should be 2021-03-09. rows with any other or an impossible
  date are left out
- paid: always comes like 1,234.50 or 1234.5 or $12 or empty (is 0), should have two decimals and no thousands separator
- if an email occurs more than once keep the row with the latest since, if equal the first
- sorted by name without regard to case, then by email

at the end print just how many data rows were left out or merged away, like: 3 dropped
"""


def make_members():
    text = """\ufeff Paid ,Name,E-Mail list, EMAIL,Since
"1,234.50",  Zoë   van  Dyk,x,Zoe@Example.org ,2021-03-09
$12,"Adams; Bo",,bo@example.org,9.3.2021
,eve "the cat" Lund,y, EVE@example.org,3/9/2021
5,Nobody,,nobody.example.org,2020-01-01
5,No Host,,me@,2020-01-01
7,Bad Day,,bad@example.org,31.2.2022
7.0,zoë van dyk,,zoe@example.org,2021-03-08
8,Later Bo,,BO@EXAMPLE.ORG,10/3/2021
1,Other Eve,,eve@example.org,2021-03-09
$1000,adams,,a@example.org,1.12.1999
3,Adams,,A2@example.org,12/1/1999
4,Month Thirteen,,m@example.org,13/1/2020
2,Two Ats,,a@b@example.org,2020-01-01
"""
    with open("members.csv", "w", encoding="utf-8", newline="") as file:
        file.write(text)


expected = [
    ["name", "email", "since", "paid"],
    ["Adams", "a2@example.org", "1999-12-01", "3.00"],
    ["adams", "a@example.org", "1999-12-01", "1000.00"],
    ['eve "the cat" Lund', "eve@example.org", "2021-03-09", "0.00"],
    ["Later Bo", "bo@example.org", "2021-10-03", "8.00"],
    ["Zoë van Dyk", "zoe@example.org", "2021-03-09", "1234.50"],
]


def is_clean():
    import csv

    with open("clean.csv", encoding="utf-8-sig", newline="") as file:
        rows = [row for row in csv.reader(file, delimiter=";") if row]
    return rows == expected, f"clean.csv holds {rows}"


TestCSVCleanup = (
    Setup(make_members)
    >> question
    >> LLMRun()
    >> ExtractCode(keep_main=True, lang="python")
    >> PythonRun()
    >> (RegexEvaluator(r"\A8 dropped\s*\Z") & PyEvaluator(is_clean))
)

if __name__ == "__main__":
    print(run_test(TestCSVCleanup))
