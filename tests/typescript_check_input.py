from evaluator import *

DESCRIPTION = (
    "Can the model check JSON from outside in typescript: every problem with its path, nothing inherited?"
)
TAGS = ["code", "typescript"]
DETERMINISTIC = True

question = """
We get JSON from outside and I want to check it in typescript before anybody uses it, without a package (node, one file). Please write

string(), number(), boolean()    number refuses NaN and the infinities
literal(x)                       exactly that string, number, boolean or null
array(of)                        every element as `of` says
object({a: ..., b: ...})         these keys
optional(of)                     only for keys of object: may be missing or undefined
union(a, b, ...)                 the first that fits

and check(what, value). It returns {ok: true, value} or {ok: false, problems}, one {path, expected} for every place that is wrong, in
the order in which they stand in the shape (elements by their index); path is like users[2].name, with ["first name"] for keys
that aren't identifiers, and "" for the value itself. expected is "string", "number", "boolean", "array", "object", a literal
as JSON, and for union those of its parts joined by " or "; a union that doesn't fit is one problem, at its own place. What is
missing expects what would have to be there.

The value returned is a new one, in which objects have only the keys of the shape, and those that were missing or undefined
aren't there at all; the one that was given isn't changed. Only an object's own properties count, and an array isn't an object.
Depth isn't a concern. Give all of them proper types, please.
"""

checks = r"""
{
  const seen = (name: string, ...values: unknown[]) => console.log(`SEEN ${name} ${JSON.stringify(values)}`);
  const parsed = (text: string): unknown => JSON.parse(text);
  const person = object({ name: string(), age: number(), mail: optional(string()) });
  const team = object({
    title: string(),
    users: array(person),
    state: union(literal("open"), literal("closed"), literal(null)),
    tags: optional(array(union(string(), number()))),
    "first name": optional(boolean()),
  });
  const good = parsed('{"users": [{"age": 3, "name": "Ann", "extra": 1}], "title": "T", "state": null, "more": {}, "tags": ["a", 1]}');
  const before = JSON.stringify(good);
  seen("good", check(team, good), JSON.stringify(good) === before);
  seen("no deep copy left out", (() => {
    const given = { users: [{ name: "A", age: 1 }], title: "", state: "open" };
    const result: any = check(team, given);
    result.value.users[0].name = "changed"; result.value.users.push(1);
    return [given, Object.keys(result.value).sort()];
  })());
  seen("all problems", check(team, parsed(
    '{"users": [{"name": 1, "age": "2"}, null, {"age": 4, "mail": null}, []], "state": "Open", "tags": ["x", true, 2, null], "first name": "yes"}')));
  seen("nothing", check(team, {}), check(person, null), check(person, []), check(array(string()), { length: 1, 0: "a" }), check(array(string()), "ab"));
  seen("numbers", [0, -1.5, NaN, Infinity, -Infinity, "1", null, Object(1)].map((x) => check(number(), x).ok));
  seen("strings", ["", "a", 1, null, undefined, Object("a")].map((x) => check(string(), x).ok));
  seen("booleans", [true, false, 0, "true", null, undefined].map((x) => check(boolean(), x).ok));
  seen("literals", check(literal("a"), "b"), check(literal(0), false), check(literal(0), "0"), check(literal(null), undefined), check(literal(true), true), check(literal("a\"b"), 1));
  seen("inherited", check(object({ constructor: string(), toString: optional(number()) }), {}), check(object({ length: number() }), [1]),
    check(object({ a: number() }), Object.create({ a: 1 })), check(object({ hasOwnProperty: number() }), parsed('{"hasOwnProperty": 4}')));
  const bare = Object.assign(Object.create(null), { a: 1, b: 2 });
  seen("without a prototype", check(object({ a: number() }), bare));
  const proto: any = check(object({ ["__proto__"]: object({ admin: boolean() }), a: optional(number()) }), parsed('{"__proto__": {"admin": true}, "a": 1}'));
  seen("proto", proto.ok, proto.ok && Object.keys(proto.value).sort(), proto.ok && Object.getPrototypeOf(proto.value) === Object.prototype, ({} as any).admin === undefined);
  const kept: any = check(object({ a: optional(string()), b: optional(string()), c: optional(union(string(), literal(null))) }), { a: undefined, c: null });
  seen("missing stays missing", kept.ok, Object.keys(kept.value), check(object({ a: optional(string()) }), { a: null }));
  const shapes = union(object({ kind: literal("circle"), r: number() }), object({ kind: literal("square"), side: number() }), array(number()));
  seen("unions", check(shapes, { kind: "square", side: 2, r: 1 }), check(shapes, { kind: "circle", side: 2 }), check(shapes, [1, 2]),
    check(array(shapes), [[1], ["x"], { kind: "circle", r: 1 }]), check(union(string(), union(number(), literal(null))), true), check(object({ a: union(string(), number()) }), {}));
  seen("first that fits", check(union(object({ a: number() }), object({ a: number(), b: number() })), { a: 1, b: 2 }));
  seen("paths", check(object({ "a-b": object({ "2nd": array(array(string())), $ok: number(), _1: number(), "": string(), "q\"": number(), "é": number() }) }), { "a-b": { "2nd": [["x"], ["y", 3]] } }),
    check(array(array(number())), [[1], [2, "3"]]), check(array(object({ x: number() })), [{}, { x: 1 }, 7]));
  seen("holes", check(array(string()), ["a", , "c"]), check(array(number()), new Array(2)));
}
"""


def _wrong(*places):
    return {"ok": False, "problems": [{"path": path, "expected": expected} for path, expected in places]}


def _right(value):
    return {"ok": True, "value": value}


_state = '"open" or "closed" or null'
goal = {
    "good": [
        _right({"title": "T", "users": [{"name": "Ann", "age": 3}], "state": None, "tags": ["a", 1]}),
        True,
    ],
    "no deep copy left out": [
        [{"users": [{"name": "A", "age": 1}], "title": "", "state": "open"}, ["state", "title", "users"]]
    ],
    "all problems": [
        _wrong(
            ("title", "string"),
            ("users[0].name", "string"),
            ("users[0].age", "number"),
            ("users[1]", "object"),
            ("users[2].name", "string"),
            ("users[2].mail", "string"),
            ("users[3]", "object"),
            ("state", _state),
            ("tags[1]", "string or number"),
            ("tags[3]", "string or number"),
            ('["first name"]', "boolean"),
        )
    ],
    "nothing": [
        _wrong(("title", "string"), ("users", "array"), ("state", _state)),
        _wrong(("", "object")),
        _wrong(("", "object")),
        _wrong(("", "array")),
        _wrong(("", "array")),
    ],
    "numbers": [[True, True, False, False, False, False, False, False]],
    "strings": [[True, True, False, False, False, False]],
    "booleans": [[True, True, False, False, False, False]],
    "literals": [
        _wrong(("", '"a"')),
        _wrong(("", "0")),
        _wrong(("", "0")),
        _wrong(("", "null")),
        _right(True),
        _wrong(("", '"a\\"b"')),
    ],
    "inherited": [
        _wrong(("constructor", "string")),
        _wrong(("", "object")),
        _wrong(("a", "number")),
        _right({"hasOwnProperty": 4}),
    ],
    "without a prototype": [_right({"a": 1})],
    "proto": [True, ["__proto__", "a"], True, True],
    "missing stays missing": [True, ["c"], _wrong(("a", "string"))],
    "unions": [
        _right({"kind": "square", "side": 2}),
        _wrong(("", "object or object or array")),
        _right([1, 2]),
        _wrong(("[1]", "object or object or array")),
        _wrong(("", "string or number or null")),
        _wrong(("a", "string or number")),
    ],
    "first that fits": [_right({"a": 1})],
    "paths": [
        _wrong(
            ('["a-b"]["2nd"][1][1]', "string"),
            ('["a-b"].$ok', "number"),
            ('["a-b"]._1', "number"),
            ('["a-b"][""]', "string"),
            ('["a-b"]["q\\""]', "number"),
            ('["a-b"].é', "number"),
        ),
        _wrong(("[1][1]", "number")),
        _wrong(("[0].x", "number"), ("[2]", "object")),
    ],
    "holes": [_wrong(("[1]", "string")), _wrong(("[0]", "number"), ("[1]", "number"))],
}


def as_wanted(output):
    import json

    seen = {}
    for line in output.splitlines():
        if not line.startswith("SEEN "):
            continue
        name, _, values = line[5:].partition(" [")
        if name in seen:
            return False, f"{name} was printed twice"
        try:
            seen[name] = json.loads("[" + values)
        except ValueError:
            return False, f"not JSON: {line[:200]}"
    # é is an identifier's letter too; who puts it in brackets errs on the safe side
    text = json.dumps(seen.get("paths"), ensure_ascii=False).replace('[\\"é\\"]', ".é")
    seen["paths"] = json.loads(text)
    wrong = [
        f"{name}: {seen.get(name)}\n    not {wanted}"
        for name, wanted in goal.items()
        if seen.get(name) != wanted
    ]
    return not wrong, "\n".join(wrong) or "all as wanted"


TestTypescriptCheckInput = (
    question >> LLMRun() >> ExtractCode(lang="typescript") >> TypeScriptRun(checks) >> PyFunc(as_wanted)
)

if __name__ == "__main__":
    print(run_test(TestTypescriptCheckInput))
