from evaluator import *

DESCRIPTION = "Can the model keep javascript's iterator protocol: lazily, and closing what it leaves early?"
TAGS = ["code", "javascript"]
DETERMINISTIC = True

question = """
Please write a javascript class Lazy (node, no packages) around any iterable, without ever building arrays inside:

new Lazy(iterable)   itself iterable, as often as the iterable is
.map(f)  .filter(f)  f gets the value and its index in that stage
.take(n)             at most n values; reads not one more from the source than needed, nothing at all if n is 0
.flatMap(f)          f gives an iterable for each value
.zip(other)          pairs [a, b], ends when either ends
.first()             the first value or undefined

Nothing is read before somebody iterates. Whoever stops early (break, destructuring, take, first, zip, an error thrown in f)
must get the source's iterator closed by its return(), once; a source that came to its own end is not closed. The return
method is optional in the protocol. In which order zip opens its two sides, and which it reads first, is up to you.
"""

checks = r"""
;(() => {
  // An iterable that tells what is done to it; "ends" after `size` values.
  const source = (log, size = 1000, from = 0) => ({
    [Symbol.iterator]() {
      let at = 0;
      log.push("open");
      return {
        next() { log.push("n"); return at < size ? { value: from + at++, done: false } : { value: undefined, done: true }; },
        return(value) { log.push("closed"); return { value, done: true }; },
      };
    },
  });
  const short = (log) => log.join(" ").replace(/\bn( n)*\b/g, (all) => `n${(all.length + 1) / 2}`);
  const test = (name, body) => {
    const log = [];
    let seen;
    try { seen = body(log); } catch (error) { seen = "error " + error.message; }
    console.log("SEEN", name, JSON.stringify(seen), short(log));
  };

  test("map", (log) => [...new Lazy(source(log, 3)).map((x, i) => x * 10 + i)]);
  test("filter", (log) => [...new Lazy(source(log, 6)).filter((x, i) => (x + i) % 4 === 0).map((x, i) => `${x}/${i}`)]);
  test("idle", (log) => { new Lazy(source(log)).map((x) => x.y.z).filter(Boolean).take(3).flatMap((x) => x).zip([1]); return "idle"; });
  test("take", (log) => [...new Lazy(source(log)).take(4)]);
  test("take 0", (log) => [...new Lazy(source(log)).take(0)]);
  test("take all", (log) => [...new Lazy(source(log, 2)).take(5)]);
  test("take exactly", (log) => [...new Lazy(source(log, 2)).take(2)]);
  test("take of filter", (log) => [...new Lazy(source(log)).filter((x) => x % 3 === 2).take(2).map((x) => -x)]);
  test("break", (log) => { for (const x of new Lazy(source(log)).map((x) => x + 1).filter((x) => x > 2)) return x; });
  test("destructure", (log) => { const [a, b] = new Lazy(source(log)).filter((x) => x > 4); return [a, b]; });
  test("first", (log) => [new Lazy(source(log)).map((x) => x + 7).first(), new Lazy([]).first(), new Lazy("hi").first()]);
  test("error", (log) => [...new Lazy(source(log)).map((x) => { if (x === 2) throw new Error("two"); return x; })]);
  test("error in filter", (log) => [...new Lazy(source(log)).filter(() => { throw new Error("no"); }).take(3)]);
  test("flat", (log) => [...new Lazy(source(log, 3)).flatMap((x) => "ab".repeat(x))]);
  test("flat break", (log) => { for (const x of new Lazy(source(log)).flatMap((x) => source(log, 2, x * 10))) if (x === 11) return x; });
  test("flat endless", (log) => [...new Lazy([5]).flatMap(() => source(log)).take(2)]);
  test("zip", (log) => [...new Lazy(source(log, 3)).zip("abcd")]);
  test("zip short", (log) => [...new Lazy(source(log)).zip(["a", "b"])]);
  test("zip other closed", (log) => [...new Lazy(["p"]).zip(source(log))]);
  test("zip break", (log) => { for (const pair of new Lazy(source(log)).zip(source(log, 9, 100))) return pair; });
  test("again", (log) => { const l = new Lazy(source(log, 2)).map((x, i) => x + i); return [[...l], [...l], Math.max(...l.take(2))]; });
  test("generator", () => { let end = "open"; function* g() { try { yield 1; yield 2; } finally { end = "closed"; } } return [new Lazy(g()).first(), end]; });
  test("no return", () => {
    const bare = { [Symbol.iterator]: () => ({ next: () => ({ value: 4, done: false }) }) };
    return [...new Lazy(bare).map((x) => x * 2).take(2), new Lazy(bare).first()];
  });
  test("undefined", () => [...new Lazy([undefined, null, 0]).map((x) => x).take(3)].length);
  test("long", () => { let n = 0; for (const x of new Lazy({ *[Symbol.iterator]() { for (let i = 0; i < 300000; i++) yield i; } }).filter((x) => x % 2).map((x) => x)) n += x; return n; });
})();
"""

answer = """SEEN map [0,11,22] open n4
SEEN filter ["0/0","2/1","4/2"] open n7
SEEN idle "idle" 
SEEN take [0,1,2,3] open n4 closed
SEEN take 0 []
SEEN take all [0,1] open n3
SEEN take exactly [0,1] open n2 closed
SEEN take of filter [-2,-5] open n6 closed
SEEN break 3 open n3 closed
SEEN destructure [5,6] open n7 closed
SEEN first [7,null,"h"] open n1 closed
SEEN error "error two" open n3 closed
SEEN error in filter "error no" open n1 closed
SEEN flat ["a","b","a","b","a","b"] open n4
SEEN flat break 11 open n1 open n4 open n2 closed closed
SEEN flat endless [0,1] open n2 closed
SEEN zip [[0,"a"],[1,"b"],[2,"c"]] open n4
SEEN zip short [[0,"a"],[1,"b"]] open n3 closed
SEEN zip other closed [["p",0]] open n1 closed
SEEN zip break [0,100] open open n2 closed closed
SEEN again [[0,2],[0,2],2] open n3 open n3 open n2 closed
SEEN generator [1,"closed"]
SEEN no return [8,8,4]
SEEN undefined 3
SEEN long 22500000000
"""


# As good: a source opened for take(0) and closed again; a zip that asks its second side first, or that reads the first
# before it opens the second.
also_right = {
    "SEEN zip break [0,100] open n1 open n1 closed closed": "SEEN zip break [0,100] open open n2 closed closed",
    "SEEN take 0 [] open closed": "SEEN take 0 []",
    'SEEN zip short [[0,"a"],[1,"b"]] open n2 closed': 'SEEN zip short [[0,"a"],[1,"b"]] open n3 closed',
    'SEEN zip other closed [["p",0]] open n2 closed': 'SEEN zip other closed [["p",0]] open n1 closed',
}


def same(output):
    seen = [line.rstrip() for line in output.splitlines() if line.startswith("SEEN ")]
    seen = [also_right.get(line, line) for line in seen]
    wanted = [line.rstrip() for line in answer.splitlines()]
    if len(seen) != len(wanted):
        return False, f"{len(seen)} lines instead of {len(wanted)}"
    wrong = [
        f"{line}\n    should be: {goal}" for line, goal in zip(seen, wanted, strict=True) if line != goal
    ]
    return not wrong, "\n".join(wrong)


TestJavascriptLazyIterator = (
    question >> LLMRun() >> ExtractCode(lang="javascript") >> JavaScriptRun(checks) >> PyFunc(same)
)

if __name__ == "__main__":
    print(run_test(TestJavascriptLazyIterator))
