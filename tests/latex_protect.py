from evaluator import *

DESCRIPTION = (
    "Can the model protect capitals from BibTeX, those behind an accent too, and no more than needed?"
)
TAGS = ["knowledge", "latex", "debug"]

question = r"""
bibtex (style plain) spoils my titles, it prints "Repair of dna in alpine snails: What the übersee collection shows" and
worse. They should come out as

Repair of DNA in Alpine snails: What the Übersee collection shows
Typesetting with LaTeX on a VAX from Évora
A pH meter for the Rhône: Notes on IEEE 802.3 cabling

and with the other journal's style, which keeps all letters as typed, they should stay in title case as they are in the
file. So only braces to be added, nothing else changed. How do I protect them? Give me the three entries.

@article{snails, author = {A. Lind}, journal = {Helix}, year = 1998,
  title = {Repair of DNA in Alpine Snails: What the {\"U}bersee Collection Shows}}
@article{vax, author = {B. Moreau}, journal = {Helix}, year = 1989,
  title = {Typesetting With {\LaTeX} on a VAX From {\'E}vora}}
@article{meter, author = {C. Okafor}, journal = {Helix}, year = 2003,
  title = {A {pH} Meter for the Rh{\^o}ne: Notes on IEEE 802.3 Cabling}}
"""

typed = {
    "snails": r"Repair of DNA in Alpine Snails: What the \"Ubersee Collection Shows",
    "vax": r"Typesetting With \LaTeX on a VAX From \'Evora",
    "meter": r"A pH Meter for the Rh\^one: Notes on IEEE 802.3 Cabling",
}
printed = {
    "snails": r"Repair of DNA in Alpine snails: What the \"Ubersee collection shows",
    "vax": r"Typesetting with \LaTeX on a VAX from \'Evora",
    "meter": r"A pH meter for the Rh\^one: Notes on IEEE 802.3 cabling",
}


def sentence_case(title):
    """What BibTeX's change.case$ makes of a title: lower case outside of braces, except the first letter and one
    after a colon. Braces that begin with a backslash outside of others are an accented letter, and change too."""
    done, depth, colon, at = "", 0, False, 0
    while at < len(title):
        sign = title[at]
        kept = at == 0 or (colon and title[at - 1].isspace())
        if sign == "{" and depth == 0 and title[at + 1 : at + 2] == "\\":
            end, level = at, 0
            while end < len(title):
                level += {"{": 1, "}": -1}.get(title[end], 0)
                end += 1
                if level == 0:
                    break
            special = title[at:end]
            if not kept:  # the names of commands stay
                special = re.sub(
                    r"\\[A-Za-z]+|[^\\]+|\\", lambda m: m[0] if m[0][0] == "\\" else m[0].lower(), special
                )
            done, at, colon = done + special, end, False
            continue
        depth += {"{": 1, "}": -1}.get(sign, 0)
        done += sign.lower() if depth == 0 and not kept else sign
        if depth == 0:
            colon = sign == ":" or (colon and sign.isspace())
        at += 1
    return done


def titles(bib):
    """The title of each entry, without the outer braces or quotes."""
    found = {}
    for entry in re.finditer(r"@\w+\s*\{\s*(\w+)\s*,(.*?)(?=^\s*@|\Z)", bib, re.DOTALL | re.MULTILINE):
        start = re.search(r"\btitle\s*=\s*([{\"])", entry[2], re.IGNORECASE)
        if start is None:
            continue
        depth, text = 0, entry[2][start.end() :]
        for at, sign in enumerate(text):
            if depth == 0 and sign == {"{": "}", '"': '"'}[start[1]]:
                found[entry[1]] = re.sub(r"\s+", " ", text[:at]).strip()
                break
            depth += {"{": 1, "}": -1}.get(sign, 0)
    return found


def bare(title):
    return re.sub(r"[{}]", "", title)


def protects_what_is_needed(bib):
    found = titles(bib)
    as_typed = {key: bare(title) for key, title in found.items()}
    in_print = {key: bare(sentence_case(title)) for key, title in found.items()}
    return as_typed == typed and in_print == printed, f"{as_typed}\nprinted: {in_print}"


TestLatexProtect = (
    question >> LLMRun() >> ExtractCode(lang="bibtex", keep_main=True) >> PyFunc(protects_what_is_needed)
)

if __name__ == "__main__":
    print(run_test(TestLatexProtect))
