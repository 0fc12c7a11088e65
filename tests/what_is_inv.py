from evaluator import *

DESCRIPTION = (
    "Does the model know that python's inv is not an inverse, and carry it to javascript's narrower bits?"
)
TAGS = ["knowledge", "code", "javascript", "python"]
REQUIRES = ["node"]
DETERMINISTIC = True

question = """
what's this inv?? I moved our python permission code to javascript and wrote 1/x for it, now everything is 0.

from functools import reduce
from operator import and_, inv, or_

def without(flags, bits):
    mask = reduce(or_, (1 << b for b in bits), 0)
    return flags & inv(mask)

def locked(flags):
    return inv(flags)

Please give me both as javascript functions: without(flags, bits), locked(flags). Plain numbers in and out, like in python;
we have 48 flags, so bits are 0 to 47.
"""

checks = """
;(() => {
  const seen = [];
  const see = (x) => seen.push(typeof x === "number" ? (x + 0).toFixed(0) : typeof x);
  see(without(0b1111, [0, 2])); see(without(0, [5])); see(without(77, [])); see(without(0, []));
  see(without(2 ** 48 - 1, [47])); see(without(2 ** 40 + 9, [3, 3, 3])); see(without(2 ** 31, [31, 0]));
  see(without(2 ** 47 + 2 ** 33 + 1, [1, 33])); see(without(2 ** 32 + 1, [0]));
  see(without(2 ** 48 - 1, [...Array(48).keys()]));
  see(locked(0)); see(locked(5)); see(locked(-6)); see(locked(2 ** 40)); see(locked(2 ** 31)); see(locked(2 ** 48 - 1));
  console.log("SEEN", seen.join(" "));
})();
"""

flags = 2**48 - 1
values = [0b1010, 0, 77, 0, flags ^ 2**47, 2**40 + 1, 0, 2**47 + 1, 2**32, 0]
values += [-1, -6, 5, -(2**40) - 1, -(2**31) - 1, -flags - 1]
answer = "SEEN " + " ".join(str(value) for value in values)

TestWhatIsInv = (
    question
    >> LLMRun()
    >> ExtractCode(lang="javascript")
    >> JavaScriptRun(checks)
    >> SubstringEvaluator(answer)
)

if __name__ == "__main__":
    print(run_test(TestWhatIsInv))
