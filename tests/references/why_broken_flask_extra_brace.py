def nothing(messages):
    return ""


PAGE = """<!doctype html>
<title>{{ title }}</title>
<style>tr.low td{color:#{{ colour }}}</style>
<table>
{%- for row in rows %}
  <tr class="{{ 'low' if row.stock < 5 else 'ok' }}">
    <td>{{ row.name }}</td>
    <td>{{ '%.2f' | format(row.price) }} {{ currency }}</td>
    <td><a href="/item/{{ row.id }}" title="{{ row.name }}">more</a></td>
  </tr>
{%- else %}
  <tr><td>{nothing}</td></tr>
{%- endfor %}
</table>
<script>const stock = {all: {{ stock | tojson }}}; const show = (id) => {if (stock.all[id]) {alert(`${id}: {{ title }}`)}};</script>
"""


def block(page, label="html"):
    return f"```{label}\n{page}```"


RIGHT = {
    "TestWhyBrokenFlaskExtraBrace": [
        "`%7D` is `}`: in the link there is one brace too many, `{{ row.id }}}`. Those in the style and the script are the "
        "closing braces of CSS and JavaScript.\n\n" + block(PAGE),
        # blanks where braces meet
        block(PAGE.replace("colour }}}", "colour }} }").replace("tojson }}}", "tojson }} }"), "jinja"),
        # written otherwise, the same page
        block(PAGE.replace("{{ row.id }}", "{{row.id}}").replace("{{ title }}", "{{ title|e }}")),
    ]
}

WRONG = {
    "TestWhyBrokenFlaskExtraBrace": [
        nothing,
        block(PAGE.replace("{{ row.id }}", "{{ row.id }}}")),
        block(PAGE.replace("}}}", "}}")),  # all of them
        # says it rightly, and mends the wrong one
        "There is one } too many in the href.\n"
        + block(PAGE.replace("{{ row.id }}", "{{ row.id }}}").replace("colour }}}", "colour }}")),
        block(PAGE.replace("{{ row.id }}", "{ row.id }")),
        block(PAGE.replace("{{ row.id }}", "{{ row.id | urlencode }}}")),
        '```html\n<a href="/item/{{ row.id }}">more</a>\n```',  # only the line
    ]
}
