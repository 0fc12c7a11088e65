from evaluator import *

DESCRIPTION = (
    "Can the model find the one brace too many in a Jinja template, and leave those that belong there?"
)
TAGS = ["html", "python", "debug"]
REQUIRES = ["python:jinja2", "node"]
DETERMINISTIC = True

question = """
Flask: every link of this page is a 404, the log shows GET /item/7%7D. Where does that %7D come from, I don't have it in my
data!? Please give me the whole template with the mistake corrected and nothing else changed, I have 40 of these and
compare them.

<!doctype html>
<title>{{ title }}</title>
<style>tr.low td{color:#{{ colour }}}</style>
<table>
{%- for row in rows %}
  <tr class="{{ 'low' if row.stock < 5 else 'ok' }}">
    <td>{{ row.name }}</td>
    <td>{{ '%.2f' | format(row.price) }} {{ currency }}</td>
    <td><a href="/item/{{ row.id }}}" title="{{ row.name }}">more</a></td>
  </tr>
{%- else %}
  <tr><td>{nothing}</td></tr>
{%- endfor %}
</table>
<script>const stock = {all: {{ stock | tojson }}}; const show = (id) => {if (stock.all[id]) {alert(`${id}: {{ title }}`)}};</script>
"""

template = question[question.index("<!doctype") :].replace('{{ row.id }}}"', '{{ row.id }}"')

pages = [
    {
        "title": "Tools & more",
        "colour": "c00",
        "currency": "EUR",
        "stock": {"7": 2, "12": 80},
        "rows": [
            {"id": 7, "name": "saw", "price": 12.5, "stock": 2},
            {"id": 12, "name": "nail <5 cm>", "price": 0.04, "stock": 80},
        ],
    },
    {"title": "Empty", "colour": "00aa00", "currency": "}", "stock": {}, "rows": []},
]

render = """
import json, sys
from jinja2 import Environment
work = json.load(sys.stdin)
page = Environment(autoescape=True).from_string(work["template"])
print(json.dumps([page.render(values) for values in work["pages"]]))
"""


def draws_the_same(reply):
    """Whether it renders to the same pages, blanks aside, and their scripts run."""
    import json
    import re
    import subprocess

    drawn = []
    for source in (template, reply):
        work = json.dumps({"template": source, "pages": pages})
        ran = subprocess.run(
            ["python3", "-c", render], input=work, capture_output=True, text=True, timeout=10
        )
        if ran.returncode:
            return False, ran.stderr
        drawn.append(json.loads(ran.stdout))
    for wanted, found in zip(*drawn, strict=True):
        if re.sub(r"\s", "", wanted) != re.sub(r"\s", "", found):
            return False, found
        script = re.search(r"<script>(.*)</script>", found, re.DOTALL)[1]
        ran = subprocess.run(["node", "-e", script], capture_output=True, text=True, timeout=10)
        if ran.returncode:
            return False, ran.stderr
    return True, drawn[1][0]


TestWhyBrokenFlaskExtraBrace = (
    question >> LLMRun() >> ExtractCode(lang="html", keep_main=True) >> PyEvaluator(draws_the_same)
)

if __name__ == "__main__":
    print(run_test(TestWhyBrokenFlaskExtraBrace))
