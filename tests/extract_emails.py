from evaluator import *

DESCRIPTION = "Does the model find every invalid address in a list, and accuse no valid one?"
TAGS = ["data", "format"]

question = """
Our newsletter service throws out the whole upload if one address is invalid, and doesn't say which. Their rules:
one @. Before it letters, digits and . _ % + ' - but no dot first or last and no two dots in a row. Behind it names
joined by dots, at least two, made of letters, digits and hyphens, no hyphen first or last in a name, and the last name
has only letters, two or more.

Which ones are bad? Just list them, one a line, exactly as they stand here.

mara.ost@fjord.example
T_Brandt@post.nordlicht.example
lee+news@qux.museum
o'hara@shamrock.example
bo..lind@pike.example
99luft@ballon.example
kim@localhost
sven@@holm.example
a@b.co
info@under_score.example
jan.@dune.example
rosa-maria@x-ray.example
ute@-alster.example
dev%ops@build.a.b.example
nils@kettle.c
.prior@abbey.example
pat@mill.example2
wim(work)@canal.example
zoe@42.example
claire@mont-blanc.alps.example
ed@hill..example
gus@tail-.example
Q@Z.TRAVEL
max.power@volt.example,
ana@rio.xn7
"""

bad = """
bo..lind@pike.example
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
ana@rio.xn7
""".strip().splitlines()

good = [line for line in question.split("\n\n")[-1].split() if line not in bad]


def names_the_bad_ones(reply):
    """Each bad address stands in the reply as it was, and no good one does; explanations are welcome."""
    said = {word.strip('`*"<>|:;') for word in reply.split() if "@" in word}
    said |= {word.rstrip(".") for word in said} | {word.removesuffix(",") for word in said}
    missed = [address for address in bad if address not in said]
    accused = [address for address in good if address in said or address + "," in said]
    return not missed and not accused, f"missed {missed}, accused {accused}"


TestExtractEmails = question >> LLMRun() >> PyFunc(names_the_bad_ones)

if __name__ == "__main__":
    print(run_test(TestExtractEmails))
