from evaluator import *

DESCRIPTION = "Does the model know small capitals in LaTeX, so that they end where they should?"
TAGS = ["knowledge", "latex", "debug"]

question = r"""
what are these mini caps called in latex, where the small letters look like little capitals and only the first letter is a
real large one? our tool Halcyon should look like that everywhere. I tried

\newcommand{\Halcyon}{\small HALCYON}

and after the first \Halcyon{} the whole rest of the paper is small :( Tell me what they are called in a sentence, and give me
the corrected definition of \Halcyon in one latex code block.
"""

definition = r"""
(?: \\(?:re|provide)?(?:new)?command\*? | \\DeclareRobustCommand\*? | \\newrobustcmd\*? | \\NewDocumentCommand | \\(?:protected|long)?\\?def )
\s* (?: \{\s*\\Halcyon\s*\} | \\Halcyon ) \s* (?:\[0\]\s* | \{\s*\}\s*)? \{ (?P<body>.*) \} \s* $
"""

# What a body may be: small capitals for this one word, in a group or by the command with an argument.
bodies = r"""
(?: \\(?:protect|leavevmode|normalfont) \s* )*
(?: \\textsc \s* \{ (?P<a>Halcyon) (?:\\/)? \}
  | \{ \s* (?: \\(?:normalfont|rmfamily|upshape) \s* )* \\scshape (?: \s+ | \{\} ) (?P<b>Halcyon) (?:\\/)? \s* \}
  | \\begingroup \s* \\scshape \s+ (?P<c>Halcyon) (?:\\/)? \s* \\endgroup
)
(?: \\xspace | \\@ )? \s*
"""


def is_small_capitals(code):
    lines = [re.sub(r"(?<!\\)%.*", "", line) for line in code.splitlines()]
    kept = [
        line for line in lines if line.strip() and not re.match(r"\s*\\(usepackage|RequirePackage)\b", line)
    ]
    found = re.match(definition, " ".join(kept).strip(), re.VERBOSE | re.DOTALL)
    if not found:
        return False, "this is not one definition of \\Halcyon"
    body = found["body"].strip()
    while (
        inner := re.fullmatch(
            r"(?:\\(?:textnormal|textup|mbox|ensuremath|text))\s*\{(.*)\}|\{(\\textsc.*)\}"
            r"|\\texorpdfstring\s*\{(.*)\}\s*\{Halcyon\}",
            body,
        )
    ) is not None:
        body = (inner[1] or inner[2] or inner[3]).strip()
    return bool(re.fullmatch(bodies, body, re.VERBOSE)), body


TestLatexMiniCaps = (
    question >> LLMRun() >> ExtractCode(lang="latex", keep_main=True) >> PyFunc(is_small_capitals)
)

if __name__ == "__main__":
    print(run_test(TestLatexMiniCaps))
