def nothing(messages):
    return ""


def block(*lines):
    return "```latex\n" + "\n".join(lines) + "\n```"


RIGHT = {
    "TestLatexRedef": [
        "The new `\\emph` calls itself. Keep the old meaning under another name:\n\n"
        + block(
            r"\usepackage{xcolor}",
            r"\let\oldemph\emph",
            r"\renewcommand{\emph}[1]{\textcolor{red}{\oldemph{#1}}}",
        ),
        block(
            r"\usepackage[dvipsnames]{xcolor} % colours",
            r"\NewCommandCopy{\plainemph}{\emph}",
            r"\RenewDocumentCommand{\emph}{m}{\plainemph{\textcolor{red}{#1}}}",
        ),
        block(
            r"\usepackage{xcolor}",
            r"\newcommand{\oldemph}{}",
            r"\let\oldemph\emph",
            r"\renewcommand*\emph[1]{\begingroup\color{red}\oldemph{#1}\endgroup}",
        ),
        block(r"\usepackage{color}", r"\DeclareTextFontCommand{\emph}{\color{red}\em}"),
        block(
            r"\makeatletter",
            r"\let\my@emph=\emph",
            r"\def\emph#1{{\color{red}\my@emph{#1}}}",
            r"\makeatother",
        ),
    ]
}

# \em is left as it is: the document's {\em g} stays black.
WRONG = {
    "TestLatexRedef": [
        nothing,
        block(r"\renewcommand{\emph}[1]{\textcolor{red}{\emph{#1}}}"),
        # no loop, but nothing becomes upright again
        block(r"\renewcommand{\emph}[1]{\textcolor{red}{\textit{#1}}}"),
        # knows \let, and uses it too late
        block(r"\renewcommand{\emph}[1]{\textcolor{red}{\oldemph{#1}}}", r"\let\oldemph\emph"),
        # a macro that looks the name up when it is used is no copy
        block(
            r"\newcommand{\oldemph}[1]{\emph{#1}}", r"\renewcommand{\emph}[1]{\textcolor{red}{\oldemph{#1}}}"
        ),
        block(r"\let\oldemph\emph", r"\renewcommand{\emph}[1]{\color{red}\oldemph{#1}}"),  # never ends
        block(r"\let\oldtextit\textit", r"\renewcommand{\textit}[1]{\textcolor{red}{\oldtextit{#1}}}"),
    ]
}
