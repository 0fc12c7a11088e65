from evaluator import *

DESCRIPTION = (
    "Can an agent answer a question about dirty data with a Python interpreter, and hand in just the number?"
)
TAGS = ["python", "data", "agent"]

orders = """id;date;customer;amount;currency
1;2024-01-31;Ada;1.200,50;EUR
2;2024-02-01;Bo;99,90;EUR
3;2024-02-03;ada ;300,00;EUR
3;2024-02-03;ada ;300,00;EUR
4;2024-02-29;ADA;50,25;USD
5;2024-02-29;Ada;-300,00;EUR
6;2024-03-01;Ada;700,00;EUR
7;2024-02-10;Adam;1.000,00;EUR
8;2024-02-11;Ada;2.000,75;EUR
9;2024-02-12;Ada;;EUR
"""

question = """orders.csv was put together by hand: amounts are German (1.200,50 is one thousand two hundred and a half), a line that is there
twice with the same id counts once, names differ in upper and lower case and in blanks around them, an empty amount is nothing,
and a negative one was paid back. How much did Ada spend in February 2024, in EUR orders only? Submit just the number with a dot
and two decimals, like 12.30."""

TestPythonOrders = (
    Files({"orders.csv": orders})
    >> question
    >> AgentRun([Python(), ReadFile()], max_turns=15, submit=True)
    >> EqualEvaluator("2000.75")
)

if __name__ == "__main__":
    print(run_test(TestPythonOrders))
