from evaluator import *

DESCRIPTION = "Can the model date the news by what happened, and tell what never happened?"
TAGS = ["knowledge", "json"]

question = """
I found a box with clippings of headlines, the dates were cut off. Can you tell me year and month of each? Some may be from
a joke paper or just wrong: if it didn't happen the way a headline says it, put null. Answer as JSON like
{"a": "1986-04", "b": null, ...}

a) Ash from Icelandic volcano closes airports all over Europe
b) Last of 33 miners up after 69 days under the Atacama
c) Two experiments at the big collider agree: there is a new boson near 125 GeV
d) Brazil stunned: Germany wins the World Cup FINAL 7-1 in Belo Horizonte
e) Lander bounces twice, then comes to rest on comet
f) Spacecraft flies past Pluto, photographs a heart
g) Go champion from Korea loses fifth game, program wins 4-1
h) British vote to leave the EU, prime minister resigns
i) First two people walk on Mars
j) Spire falls as Notre-Dame burns
k) Ship stuck right across the Suez canal, nothing moves
l) Concorde carries its last paying passengers to London
"""

# d was the semi-final
goal = {
    "a": "2010-04",
    "b": "2010-10",
    "c": "2012-07",
    "d": None,
    "e": "2014-11",
    "f": "2015-07",
    "g": "2016-03",
    "h": "2016-06",
    "i": None,
    "j": "2019-04",
    "k": "2021-03",
    "l": "2003-10",
}

TestDateNewsHeadlines = question >> LLMRun() >> ExtractJSON() >> JSONSubsetEvaluator(goal)

if __name__ == "__main__":
    print(run_test(TestDateNewsHeadlines))
