BAD = """bo..lind@pike.example
kim@localhost
sven@@holm.example
info@under_score.example
jan.@dune.example
ute@-alster.example
nils@kettle.c
.prior@abbey.example
pat@mill.example2
wim(work)@canal.example
ed@hill..example
gus@tail-.example
max.power@volt.example,
ana@rio.xn7"""

WHY = ["two dots", "one name", "two @", "underscore", "dot last", "hyphen first", "one letter", "dot first",
       "digit", "brackets", "empty name", "hyphen last", "comma", "digit"]  # fmt: skip

RIGHT = {
    "TestExtractEmails": [
        BAD,
        "These 14 are invalid:\n\n"
        + "\n".join(f"- `{address}`: {why}" for address, why in zip(BAD.split(), WHY, strict=True)),
        "```\n" + "\n".join(reversed(BAD.split())) + "\n```",
        "\n".join(
            f"{number}. {address}, {why}"
            for number, (address, why) in enumerate(zip(BAD.split(), WHY, strict=True), 1)
        ),
    ]
}

WRONG = {
    "TestExtractEmails": [
        "",
        BAD.replace("gus@tail-.example\n", ""),
        BAD.replace("max.power@volt.example,\n", ""),
        BAD + "\no'hara@shamrock.example",
        BAD.replace("example,", "example"),  # without what makes it bad
        BAD + "\nzoe@42.example\nlee+news@qux.museum\ndev%ops@build.a.b.example",
        "The bad ones have two dots, no dot behind the @, an underscore, a leading hyphen or a single letter.",
    ]
}
