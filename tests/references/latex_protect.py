def nothing(messages):
    return ""


SNAILS = r"""@article{snails, author = {A. Lind}, journal = {Helix}, year = 1998,
  title = {Repair of {DNA} in {Alpine} Snails: What the {{\"U}bersee} Collection Shows}}
"""
VAX = r"""@article{vax, author = {B. Moreau}, journal = {Helix}, year = 1989,
  title = {Typesetting With {\LaTeX} on a {VAX} From {{\'E}}vora}}
"""
METER = r"""@article{meter, author = {C. Okafor}, journal = {Helix}, year = 2003,
  title = {A {pH} Meter for the {Rh{\^o}ne}: Notes on {IEEE} 802.3 Cabling}}
"""


def block(*entries):
    return "```bibtex\n" + "".join(entries) + "```"


RIGHT = {
    "TestLatexProtect": [
        "Letters in braces are left alone, but braces that start with a backslash only mark an accented letter, so those "
        "need a second pair:\n\n" + block(SNAILS, VAX, METER),
        block(
            SNAILS.replace("{Alpine}", "{A}lpine").replace(r"{{\"U}bersee}", r"{{\"U}}bersee"),
            VAX.replace(r"{{\'E}}vora", r"{{\'E}vora}").replace("title =", "title    =\n   "),
            METER.replace(r"{Rh{\^o}ne}", r"{R}h{\^o}ne").replace("{IEEE} 802.3", "{IEEE 802.3}"),
        ),
    ]
}

WRONG = {
    "TestLatexProtect": [
        nothing,
        # keeps everything: the right tool, too much of it
        block(*(e.replace("title = {", "title = {{").replace("}}\n", "}}}\n") for e in (SNAILS, VAX, METER))),
        block(SNAILS.replace(r"{{\"U}bersee}", r"{\"U}bersee"), VAX, METER),  # protected by looks only
        block(SNAILS, VAX.replace(r"{{\'E}}vora", r"{\'E}vora"), METER),
        block(SNAILS, VAX, METER.replace("{IEEE}", "IEEE")),
        block(SNAILS.replace("Snails", "snails").replace("Collection Shows", "collection shows"), VAX, METER),
        block(SNAILS, VAX),
        block(SNAILS.replace("{DNA}", r"\protect{}DNA"), VAX, METER),
    ]
}
