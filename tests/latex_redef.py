from evaluator import *

DESCRIPTION = "Can the model redefine a LaTeX command by means of its old meaning, without an endless loop?"
TAGS = ["knowledge", "latex", "debug"]

question = r"""
I want everything in \emph to be red as well, so in the preamble:

\renewcommand{\emph}[1]{\textcolor{red}{\emph{#1}}}

and then it's "TeX capacity exceeded, sorry [input stack size=10000]". Why, and what do I write instead? \emph inside of
\emph has to become upright again as it always did, and \textit must not get red. Give me just the lines for the preamble,
in one block.
"""

document = (
    r"a \emph{b \textit{c} \emph{d \emph{e}} f} {\em g} \textit{h \emph{i}} \textcolor{blue}{j \emph{k} l} m"
)

# letter: whether it is in italics, and its colour
plain = "abcdefghijklm"
italic = set("bcefghk")
colours = dict.fromkeys("bcdefik", "red") | dict.fromkeys("jl", "blue")
wanted = [(letter, letter in italic, colours.get(letter, "black")) for letter in plain]

SWITCHES = {"itshape": True, "slshape": True, "upshape": False, "normalfont": False}
COPIES = ("let", "LetLtxMacro", "NewCommandCopy", "RenewCommandCopy", "DeclareCommandCopy")
DEFINE = ("newcommand", "renewcommand", "providecommand", "DeclareRobustCommand")
DOCUMENT = ("NewDocumentCommand", "RenewDocumentCommand", "DeclareDocumentCommand")
PREFIXES = (
    "protected",
    "long",
    "global",
    "relax",
    "makeatletter",
    "makeatother",
    "protect",
    "leavevmode",
    "/",
)


class TinyTeX:
    """As much of LaTeX as redefines commands and sets letters: (letter, italic?, colour) in `letters`."""

    def __init__(self):
        self.macros, self.letters, self.saved, self.steps = {}, [], [], 0

    def tokens(self, source):
        source = re.sub(r"(?<!\\)%.*\n?", "", source)
        return re.findall(r"\\[A-Za-z@]+\s*|\\.|[^\\]", source, re.DOTALL)

    def group(self, stream):
        """The next argument: a group without its braces, or one token."""
        while stream and stream[0].isspace():
            stream.pop(0)
        first = stream.pop(0).strip()
        if first != "{":
            return [first]
        found, depth = [], 1
        while True:
            token = stream.pop(0)
            depth += {"{": 1, "}": -1}.get(token, 0)
            if not depth:
                return found
            found.append(token)

    def option(self, stream):
        while stream and stream[0].isspace():
            stream.pop(0)
        if not stream or stream[0] != "[":
            return None
        end = stream.index("]")
        found = "".join(stream[1:end])
        del stream[: end + 1]
        return found

    def name(self, stream):
        return "".join(self.group(stream)).strip().lstrip("\\")

    def skip(self, stream, signs):
        while stream and (stream[0].isspace() or stream[0] in signs):
            stream.pop(0)

    def run(self, stream, state):
        while stream:
            self.steps += 1
            if self.steps > 5000:
                raise RecursionError("TeX capacity exceeded")
            token = stream.pop(0).strip()
            if token == "{":
                stream.insert(0, "{")
                self.run(self.group(stream), dict(state))
            elif token.startswith("\\") and token != "\\":
                self.command(token[1:], stream, state)
            elif token.isalpha():
                self.letters.append((token, state["italic"], state["colour"]))

    def command(self, name, stream, state):
        meaning = self.macros.get(name, name)
        if isinstance(meaning, tuple):
            count, default, body = meaning
            values = []
            if default is not None:
                given = self.option(stream)
                values.append([given if given is not None else default])
            while len(values) < count:
                values.append(self.group(stream))
            text, at = [], 0
            while at < len(body):
                if body[at] == "#" and at + 1 < len(body) and body[at + 1].isdigit():
                    text += values[int(body[at + 1]) - 1]
                    at += 2
                else:
                    text.append(body[at])
                    at += 1
            stream[:0] = text
        else:
            self.primitive(meaning, stream, state)

    def primitive(self, name, stream, state):
        if name in COPIES:
            new = self.name(stream)
            self.skip(stream, "=")
            old = self.name(stream)
            self.macros[new] = self.macros.get(old, old)
        elif name in ("def", "gdef"):
            new, count = self.name(stream), 0
            while stream[0] != "{":
                count += stream.pop(0) == "#"
            self.macros[new] = (count, None, self.group(stream))
        elif name in DEFINE:
            self.skip(stream, "*")
            new = self.name(stream)
            count = int(self.option(stream) or 0)
            self.macros[new] = (count, self.option(stream), self.group(stream))
        elif name in DOCUMENT:
            new, kinds = self.name(stream), "".join(self.group(stream))
            if set(kinds) - set("+m "):
                raise ValueError(f"arguments {kinds}")
            self.macros[new] = (kinds.count("m"), None, self.group(stream))
        elif name == "DeclareTextFontCommand":
            new = self.name(stream)
            self.macros[new] = (1, None, ["{", *self.group(stream), "{", "#", "1", "}", "}"])
        elif name in ("begingroup", "bgroup"):
            self.saved.append(dict(state))
        elif name in ("endgroup", "egroup"):
            state.update(self.saved.pop())
        elif name in ("usepackage", "RequirePackage", "PassOptionsToPackage", "documentclass"):
            self.option(stream)
            self.group(stream)
        elif name in ("emph", "textit", "textsl", "textup", "textnormal"):
            inner = dict(state)
            inner["italic"] = not state["italic"] if name == "emph" else name in ("textit", "textsl")
            self.run(self.group(stream), inner)
        elif name == "textcolor":
            self.option(stream)
            colour = self.name(stream)
            self.run(self.group(stream), {**state, "colour": {"1,0,0": "red"}.get(colour, colour)})
        elif name == "color":
            self.option(stream)
            state["colour"] = self.name(stream)
        elif name == "em":
            state["italic"] = not state["italic"]
        elif name in SWITCHES:
            state["italic"] = SWITCHES[name]
        elif name not in PREFIXES:
            raise ValueError(f"\\{name} is not known here")


def sets_as_wanted(preamble):
    tex = TinyTeX()
    tex.run(tex.tokens(preamble + "\n" + document), {"italic": False, "colour": "black"})
    return tex.letters == wanted, f"{tex.letters} should be {wanted}"


TestLatexRedef = question >> LLMRun() >> ExtractCode(lang="latex", keep_main=True) >> PyFunc(sets_as_wanted)

if __name__ == "__main__":
    print(run_test(TestLatexRedef))
