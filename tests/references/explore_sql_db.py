import re


def sql(command):
    return f"```sql\n{command}\n```"


TOTALS = """SELECT label, SUM(qty * cents * fx) / 100 AS euro FROM tx_party JOIN tx_doc USING (pid)
JOIN tx_line USING (did) WHERE kind = 'C' AND state <> 'R' GROUP BY pid ORDER BY euro DESC;"""


def reads_the_screen(messages):
    """Explores, misspells a column, and takes its answer from what the shell has printed."""
    steps = [
        sql(".tables"),
        sql("SELECT * FROM meta;"),
        sql(".schema"),
        sql(TOTALS.replace("label", "name")),
        sql(TOTALS),
    ]
    turn = len(messages) // 2
    if turn < len(steps):
        return steps[turn]
    first = re.search(r"([A-Z]\w+ [A-Z]\w+)\|([\d.]+)", messages[-1].content)
    return f"ANSWER: {first[1]}, {float(first[2]):.2f} euro"


RIGHT = {
    "TestExploreSQLDB": [
        reads_the_screen,
        [
            "Let me see what is there.\n\n" + sql(".schema"),
            sql("SELECT * FROM meta;"),
            # forgets the semicolon, sees the continuation prompt
            sql(
                "SELECT label, did, SUM(qty * cents) * fx / 100 FROM tx_party NATURAL JOIN tx_doc NATURAL JOIN tx_line"
            ),
            sql("WHERE state IN ('P', 'S') AND kind = 'C' GROUP BY pid, did;"),
            "45.5 + 30 = 75.5 and another 30 for Kwame, so:\n\n**ANSWER**: Kwame Asante, €105.50",
        ],
    ]
}

WRONG = {
    "TestExploreSQLDB": [
        "",
        "ANSWER: I have no access to databases.",
        [
            sql(TOTALS.replace("AND state <> 'R'", "")),
            "ANSWER: Tomas Reyes, 1098.50",
        ],  # with what was returned
        [sql(TOTALS.replace(" * fx", "")), "ANSWER: Mei Tan, 900.00"],  # in other currencies
        [sql(TOTALS.replace("kind = 'C' AND ", "")), "ANSWER: Nordic Paper, 4500.00"],
        [sql(".tables"), "ANSWER: Kwame Asante, 75.50"],
    ]
}
