from evaluator import *

DESCRIPTION = "Can the model tell in which order javascript's tasks and microtasks run?"
TAGS = ["javascript", "explain"]

question = """
please don't run it, I want to understand it: in which order does node print this (as a commonjs script)? Explain
and end with a JSON list of the letters in order.

const log = (x) => console.log(x);

setTimeout(() => { log("A"); Promise.resolve().then(() => log("B")); process.nextTick(() => log("C")); }, 0);
setTimeout(() => log("D"), 0);

async function first() {
  log("E");
  await second();
  log("F");
}

async function second() {
  log("G");
  return null;
}

new Promise((resolve) => { log("H"); resolve(); log("I"); })
  .then(() => { log("J"); return Promise.resolve(); })
  .then(() => log("K"));

first().then(() => log("L")).finally(() => log("M"));
process.nextTick(() => log("N"));
queueMicrotask(() => { log("O"); queueMicrotask(() => log("P")); });
Promise.reject(1).then(() => log("Q")).catch(() => log("R"));
(async () => { try { await Promise.reject(2); log("S"); } catch { log("T"); } })();
log("U");
"""

goal = list("HIEGUNJFOTLPRMKACBD")


def same_order(text):
    found = json.loads(text)
    return [str(each).strip() for each in found] == goal, f"{found} should be {goal}"


TestJavascriptEventOrder = question >> LLMRun() >> ExtractJSON() >> PyFunc(same_order)

if __name__ == "__main__":
    print(run_test(TestJavascriptEventOrder))
