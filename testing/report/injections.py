"""What a hostile model, program or test author may write, and records that hold it everywhere.

Each text sets `window.__pwned`, changes the title, calls alert or asks the network if a browser takes
it for anything but text.
"""

from __future__ import annotations

from assay.records import Block, Outcome, Table, TrialRecord

RUN = "window.__pwned=1;document.title='pwned'"
HOST = "http://pwned.invalid"

INJECTIONS = (
    f"<script>{RUN}</script>",
    f"</script><script>{RUN}</script>",
    f"</pre></div></template><script>{RUN}</script>",
    f"--></style></title><script>{RUN}</script>",
    f'"><img src=x onerror="{RUN}">',
    f"' onmouseover='{RUN}' x='",
    f"<img src={HOST}/a.png onload=\"{RUN}\" onerror=alert(1)>",
    f"<svg onload=\"{RUN}\"><script>{RUN}</script></svg>",
    f"<svg><animate onbegin=\"{RUN}\" attributeName=x dur=1s>",
    f"<iframe srcdoc='<script>parent.{RUN}</script>'></iframe>",
    f"<object data=\"data:text/html,<script>parent.{RUN}</script>\"></object>",
    f"<link rel=stylesheet href={HOST}/a.css><style>@import '{HOST}/b.css';"
    "body{display:none!important}</style>",
    f"<div style=\"background:url({HOST}/c.png);position:fixed;inset:0\">cover</div>",
    f"<base href={HOST}/><meta http-equiv=refresh content=\"0;url={HOST}/\">",
    f"<form action={HOST}><input autofocus onfocus=\"{RUN}\"></form><details open ontoggle=\"{RUN}\">",
    f"[click](javascript:{RUN}) [click](JaVaScRiPt&colon;{RUN}) [click](java\tscript:{RUN})",
    f"[click](data:text/html,<script>{RUN}</script>) [x](vbscript:x) [y](file:///etc/passwd)",
    f"<javascript:{RUN}> <a href=\"javascript:{RUN}\">a</a> [ref]\n\n[ref]: javascript:{RUN}",
    f"![picture]({HOST}/tracker.png) ![svg](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+)",
    f"![x](\"onerror=\"{RUN}) [a](http://ok.invalid/\"onmouseover=\"{RUN})",
    f"```html\"><script>{RUN}</script>\n</pre><script>{RUN}</script>\n```",
    f"~~~ \" onload={RUN}\n<b>\n~~~",
    "{{ 7*7 }}{% for x in ().__class__.__bases__ %}{{ x }}{% endfor %}${7*7}<%= 7*7 %>#{7*7}",
    "</textarea></noscript><plaintext>",
    "null\x00byte and \x08\x08\x08 backspaces \x07 bell \x7f",
    "\x1b]0;pwned\x07\x1b[2J\x1b[31mred\x1b[0m\x1b]8;;http://pwned.invalid\x07link\x1b]8;;\x07",
    "access_level != \u202e\u2066// admin\u2069 \u2066user\u202c\u200b\ufeff",
    "half a pair \ud83d and \udc00 alone \U000e0041\u2028\u2029",
    "\\u003c/script\\u003e &lt;script&gt; &#60;script&#62; %3Cscript%3E",
    "../../../etc/passwd CON NUL a:b*c?.html \n\n newline",
    "\n".join(["> " * 60 + "deep", "[" * 500, "*a **b " * 100]),
)  # fmt: skip


def hostile_block(text: str) -> Block:
    """Every kind of block with `text` in every field; bodies end in their number, so that none repeats."""
    return Block(
        "group",
        text,
        children=(
            Block("text", text, text + "1"),
            Block("code", text, text + "2", "html"),
            Block("code", text, text + "3", "python"),
            Block("code", text, text + "4", text),
            Block("chat", text, text + "5", role="user"),
            Block("chat", text, text + "6", role="assistant"),
            Block("chat", text, text + "7", role=text),
            Block("image", text, text, file=text),
            Block("image", text, text, data=f"<svg onload='{RUN}'/>".encode()),
            Block("verdict", text, text, passed=True),
            Block("text", body=text[:40].replace("\n", " ")),
            Block("group", "both of", children=(Block("verdict", text, text), Block("group", text))),
        ),
    )


def hostile_records() -> list[TrialRecord]:
    """One test and two models for each injection, which stands in every string that a record has."""
    found = []
    for text in INJECTIONS:
        for model, outcome in ((f"evil/{text}", Outcome.FAIL), ("plain/model", Outcome.ERROR)):
            found.append(
                TrialRecord(
                    test=text, model=model, epoch=1, outcome=outcome, suite=text[:30], error=text,
                    reason=hostile_block(text), metrics={text: 0.5}, score=0.5, calls=1, seconds=1.0,
                    sandbox=text, limits=text, started_at=text, commit=text, description=text,
                    tags=(text, "tag"), source=text, versions={text: text}, judges={text: text},
                    extra={text: text},
                )
            )  # fmt: skip
    return found


def hostile_tables() -> list[Table]:
    """A suite's table with every injection as title, column, value and note."""
    return [Table(text, (text, "n"), ((text, 1), (None, 2.5)), text) for text in INJECTIONS]
