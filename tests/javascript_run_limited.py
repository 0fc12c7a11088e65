from evaluator import *

DESCRIPTION = "Can the model write an async pool in javascript: limited, in order, and careful with failures?"
TAGS = ["code", "javascript"]

question = """
I need a javascript function (plain node, no packages) async function runLimited(jobs, limit): jobs is an array of functions
that each return a promise or a plain value. It runs at most `limit` of them at a time, starts them in order, always as
soon as one has finished, and resolves to the array of results in the order of jobs. If a job fails (rejects or throws)
no further jobs are started, the ones that run are awaited, and then it rejects with the first error. An empty array gives
an empty array. A limit that isn't a whole number >= 1 is a RangeError (by rejection). Just the function please.
"""

checks = """
(async () => {
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const say = (name, value) => console.log(name, JSON.stringify(value));
  let running = 0, most = 0, order = [];
  const job = (name, ms) => async () => {
    order.push(name); running++; most = Math.max(most, running);
    await wait(ms);
    running--;
    return name.toUpperCase();
  };
  const begin = () => { running = most = 0; order = []; };

  begin();
  say("in order", await runLimited([job("a", 60), job("b", 10), job("c", 30), job("d", 5)], 2));
  say("started", [order.join(""), most]);

  begin();
  await runLimited("abcdefgh".split("").map((name) => job(name, 20)), 3);
  say("most", most);

  const events = [];
  const seen = (name, ms) => async () => { events.push(name + "+"); await wait(ms); events.push(name + "-"); };
  await runLimited([seen("x", 500), seen("y", 10), seen("z", 10), seen("w", 10)], 2);
  say("as soon as one is done", events.join(" "));

  say("plain", await runLimited([() => 1, () => undefined, async () => null, () => [2]], 9).then((r) => [r.length, ...r]));
  say("empty", await runLimited([], 1));

  begin();
  const fails = async () => { order.push("!"); await wait(10); throw new Error("first"); };
  const failsLater = async () => { order.push("?"); await wait(40); throw new Error("later"); };
  let ended = false;
  const slow = async () => { order.push("s"); await wait(80); ended = true; };
  const error = await runLimited([fails, failsLater, slow, job("n", 1), job("m", 1)], 3).catch((e) => e.message);
  say("failed", [error, ended, order.join("")]);

  const thrown = await runLimited([() => { throw new TypeError("at once"); }, job("never", 1)], 1).catch((e) => e.name);
  say("thrown", [thrown, order.includes("never")]);
  const falsy = await runLimited([() => Promise.reject(undefined), job("nor", 1)], 1).then(() => "fine", () => "rejected");
  say("falsy", [falsy, order.includes("nor")]);

  const limits = [];
  for (const limit of [0, -1, 1.5, NaN, "2", undefined]) {
    try {
      limits.push(await runLimited([job("q", 1)], limit).then(() => "ran", (e) => e instanceof RangeError));
    } catch { limits.push("thrown"); }
  }
  say("limits", limits);
  const jobs = [job("r", 1), job("s", 1)];
  await runLimited(jobs, Infinity).catch(() => {});
  await runLimited(jobs, 1);
  say("untouched", jobs.length);
})();
"""

answer = """in order ["A","B","C","D"]
started ["abcd",2]
most 3
as soon as one is done "x+ y+ y- z+ z- w+ w- x-"
plain [4,1,null,null,[2]]
empty []
failed ["first",true,"!?s"]
thrown ["TypeError",false]
falsy ["rejected",false]
limits [true,true,true,true,true,true]
untouched 2
"""

TestJavaScriptRunLimited = (
    question
    >> LLMRun()
    >> ExtractCode(lang="javascript")
    >> JavaScriptRun(checks)
    >> SubstringEvaluator(answer)
)

if __name__ == "__main__":
    print(run_test(TestJavaScriptRunLimited))
