from evaluator import *

DESCRIPTION = "Can the model repair broken JSON without losing or inventing anything?"
TAGS = ["format", "json"]

question_loose = """
my script chokes on this config, it's supposed to be json. can you fix it? keep all the values as they are

{
  // where the feeders are
  name: 'north "yard"',
  feeders: [ {id: 1, kg: 2.50, open: True,}, {id: 02, kg: .75, open: False} {id: 3, kg: 0, open: None} ],
  "note": "don't refill
after dark",
  max: +40,
}
"""

fixed_loose = {
    "name": 'north "yard"',
    "feeders": [
        {"id": 1, "kg": 2.5, "open": True},
        {"id": 2, "kg": 0.75, "open": False},
        {"id": 3, "kg": 0, "open": None},
    ],
    "note": "don't refill\nafter dark",
    "max": 40,
}

question_cut = """
The download broke off and a proxy damaged this JSON on the way. Close what is open, repair the rest, and give
me valid JSON. The last entry of steps was cut in the middle of its key, just leave that half key away.

{"recipe": "rye bread", "grams": {"rye" 450, "water": 380, "salt": 9}, "steps": [{"do": "mix", "minutes": 10,
"tools": ["bowl" "spoon"]}, {"do": "rest", minutes": 720, "tools": []}, {"do": "say \\"done\\" and bake",
"minutes": 55, "too
"""

fixed_cut = {
    "recipe": "rye bread",
    "grams": {"rye": 450, "water": 380, "salt": 9},
    "steps": [
        {"do": "mix", "minutes": 10, "tools": ["bowl", "spoon"]},
        {"do": "rest", "minutes": 720, "tools": []},
        {"do": 'say "done" and bake', "minutes": 55},
    ],
}

TestFixJsonLoose = (
    question_loose >> LLMRun() >> ExtractJSON() >> PyFunc(json.loads) >> EqualEvaluator(fixed_loose)
)
TestFixJsonCut = question_cut >> LLMRun() >> ExtractJSON() >> PyFunc(json.loads) >> EqualEvaluator(fixed_cut)

if __name__ == "__main__":
    print(run_test(TestFixJsonLoose))
    print(run_test(TestFixJsonCut))
