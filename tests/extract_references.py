from evaluator import *

DESCRIPTION = "Can the model pick the titles out of a bibliography in many styles, broken lines included?"
TAGS = ["data", "format"]

question = """
copied this out of a PDF. give me just the titles of the works, one per line, same order, nothing else (with subtitles
if they have one, without the journal, book or conference they appeared in, and with words that the PDF broke at the
end of a line put together again)

[1] Ostermann, K., Ljung, P.: Counting Seals from the Air: A Field Man-
ual. Skerry Press, Visby (2nd ed. 2011)
[2] D. Okafor and M. Reyes, "Why do tides lie? Notes on cheap pres-
sure sensors," J. Coastal Instrum., vol. 7, no. 2, pp. 101-119, 1998.
[3] Bright, A. (2004). 1703: the storm in letters. In C. Dow (Ed.),
Weather and memory (pp. 33-61). Old Harbour Books.
[4] van den Berg, H.; Sato, Y. Low-power Radio for Buoys. In Proceedings
of the 3rd Workshop on Sensing at Sea, Bergen, 2016; pp. 1-8.
[5] Halloran, Una. "The Lighthouse Keeper's Ledger." PhD thesis, University
of West Skerry, 1979.
[6] T. E. Mbeki. Salt, Rust and Rain. 14 Years on a Pier. Trans. by
L. Novak. Pier Papers 22 (1991).
[7] Open Buoy Project. Drift dataset v2.1. Accessed 4 May 2023.
https://data.openbuoy.example/drift-2.1
[8] Ferro, G. & Lind, S. (in press). On the self-
similarity of foam. Annals of Surf Physics.
"""

titles = [
    "Counting Seals from the Air: A Field Manual",
    "Why do tides lie? Notes on cheap pressure sensors",
    "1703: the storm in letters",
    "Low-power Radio for Buoys",
    "The Lighthouse Keeper's Ledger",
    "Salt, Rust and Rain. 14 Years on a Pier",
    "Drift dataset v2.1",
    "On the self-similarity of foam",
]


def plain(line):
    """A title without its number in the list, its marks and its case."""
    line = re.sub(r"^[\s>*_-]*(?:\[\d\]|\d\s*[.)]\s)?", "", line.replace("\u2019", "'"))
    return " ".join(re.findall(r"[a-z0-9']+", line.lower().strip("'\"` ")))


def are_the_titles(reply):
    """All lines are the titles; one line of greeting before them is let pass."""
    lines = [line for line in (plain(line) for line in reply.splitlines()) if line]
    lines = [plain(titles[6]) if line == "drift dataset" else line for line in lines]  # its version may go
    wanted = [plain(title) for title in titles]
    odd = [line for line in lines if line not in wanted]
    return lines[-len(wanted) :] == wanted and len(odd) <= 1, f"not a title: {odd}"


TestExtractReferences = question >> LLMRun() >> PyFunc(are_the_titles)

if __name__ == "__main__":
    print(run_test(TestExtractReferences))
