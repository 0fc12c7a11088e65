from evaluator import Call, Script

SOLVED = """python3 - <<'EOF'
import collections, csv, json

totals = collections.Counter()
for day, comma, thousand in (("monday", ",", "_"), ("tuesday", ";", "."), ("wednesday", ",", ",")):
    with open(f"stock/{day}.csv") as file:
        lines = [line for line in file if not line.startswith("#")]
    for row in csv.DictReader(lines, delimiter=comma):
        totals[row["item"].lower()] += int(row["count"].replace(thousand, "") or 0)
json.dump(totals, open("total.json", "w"))
EOF
cat total.json"""

RIGHT = {
    "TestAgentProgramStock": [
        Script(SOLVED),
        [
            Call("shell", command="head stock/*"),
            Call("shell", command=SOLVED),
            "The totals are in total.json.",
        ],
    ]
}

WRONG = {
    "TestAgentProgramStock": [
        "bolt 1330, nut 1120, washer 15, hinge 10",
        Script(SOLVED.replace('open("total.json"', 'open("totals.json"')),
        Script(SOLVED.replace(' if not line.startswith("#")', "")),
        Script(SOLVED.replace(".lower()", "")),
        Script(SOLVED.replace('";", "."', '";", "_"').replace("int(row", "float(row")),
        Script(SOLVED.replace("+= int", "= int")),
    ]
}
