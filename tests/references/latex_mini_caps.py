def nothing(messages):
    return ""


def block(*lines):
    return "```latex\n" + "\n".join(lines) + "\n```"


RIGHT = {
    "TestLatexMiniCaps": [
        "They are called small caps:\n\n" + block(r"\newcommand{\Halcyon}{\textsc{Halcyon}}"),
        block("% needs xspace", r"\usepackage{xspace}", r"\newcommand*{\Halcyon}{\textsc{Halcyon}\xspace}"),
        block(r"\newcommand{\Halcyon}{\texorpdfstring{\textsc{Halcyon}}{Halcyon}\xspace}").replace(
            r"\xspace", ""
        ),
        block(r"\newcommand{\Halcyon}{{\scshape Halcyon}}")
        + "\n`\\small` and `\\scshape` last until the group ends.",
        block(r"\DeclareRobustCommand\Halcyon{%", r"  \textnormal{\textsc{Halcyon}}%", "}"),
    ]
}

WRONG = {
    "TestLatexMiniCaps": [
        nothing,
        block(r"\newcommand{\Halcyon}{\scshape Halcyon}"),  # goes on to the end of the paper
        # the right name, the wrong letters
        "Small caps are made by \\textsc.\n" + block(r"\newcommand{\Halcyon}{\textsc{HALCYON}}"),
        block(r"\newcommand{\Halcyon}{\textsc{halcyon}}"),
        block(r"\newcommand{\Halcyon}{{\small HALCYON}}"),
        block(r"\newcommand{\Halcyon}{\textsc Halcyon}"),  # only the H
        block(
            r"% \newcommand{\Halcyon}{\textsc{Halcyon}}", r"\newcommand{\Halcyon}{\MakeUppercase{Halcyon}}"
        ),
    ]
}
