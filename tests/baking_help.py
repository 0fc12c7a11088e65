from evaluator import *

DESCRIPTION = "Can the model rescue a dough whose recipe was misread, counting what is in the starter too?"
TAGS = ["knowledge", "math", "json"]

question = """
help, my sourdough is like soup!! the recipe aims at 70% hydration and 2% salt overall (so with what is in the starter).
I took 500 g flour, 375 g water, 200 g starter (the usual one, fed with as much water as flour) and 10 g salt. how much
flour and how much salt do I have to knead in to get back to the recipe's numbers? work it out and end with
{"add_flour_g": .., "add_salt_g": ..}, one decimal
"""

# 600 g flour and 475 g water: 475 / 0.7 = 678.6 g flour, and 13.6 g salt
flour = (375 + 100) / 0.7
wanted = {"add_flour_g": (flour - 600, 0.6), "add_salt_g": (0.02 * flour - 10, 0.11)}


def saves_the_dough(text):
    found = json.loads(text)
    return all(abs(float(found[name]) - goal) <= slack for name, (goal, slack) in wanted.items()), str(wanted)


TestBakingHelp = question >> LLMRun() >> ExtractJSON() >> PyFunc(saves_the_dough)

if __name__ == "__main__":
    print(run_test(TestBakingHelp))
