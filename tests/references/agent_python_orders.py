from evaluator import Call

LOAD = """import csv
rows = {}
for row in csv.DictReader(open("orders.csv"), delimiter=";"):
    rows[row["id"]] = row
len(rows)"""
SUM = """total = 0
for row in rows.values():
    if row["customer"].strip().lower() == "ada" and row["date"].startswith("2024-02") and row["currency"] == "EUR":
        total += float((row["amount"] or "0").replace(".", "").replace(",", "."))
f"{total:.2f}\""""


def answered(answer):
    return [Call("python", code=LOAD), Call("python", code=SUM), Call("submit", answer=answer)]


RIGHT = {
    "TestPythonOrders": [
        answered("2000.75"),
        [Call("read_file", path="orders.csv"), Call("submit", answer="2000.75")],
    ]
}

WRONG = {
    "TestPythonOrders": [
        answered("2300.75"),
        answered("Ada spent 2000.75"),
        [Call("python", code=LOAD), "2051.00"],
        [Call("read_file", path="orders.csv"), Call("submit", answer="2,000.75")],
    ]
}
