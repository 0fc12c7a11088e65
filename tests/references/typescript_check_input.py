CHECKS = """type Problem = { path: string; expected: string };
type Result<T> = { ok: true; value: T } | { ok: false; problems: Problem[] };

interface Checker<T> {
  readonly expected: string;
  readonly isOptional?: boolean;
  run(value: unknown, path: string, problems: Problem[]): T | undefined;
}
type Infer<C> = C extends Checker<infer T> ? T : never;
type Shape = Record<string, Checker<any>>;

function leaf<T>(expected: string, fits: (value: unknown) => boolean): Checker<T> {
  return {
    expected,
    run(value, path, problems) {
      if (fits(value)) return value as T;
      problems.push({ path, expected });
      return undefined;
    },
  };
}

export const string = () => leaf<string>("string", (value) => typeof value === "string");
export const number = () => leaf<number>("number", (value) => Number.isFinite(value));
export const boolean = () => leaf<boolean>("boolean", (value) => typeof value === "boolean");
export const literal = <const T extends string | number | boolean | null>(wanted: T) =>
  leaf<T>(JSON.stringify(wanted), (value) => value === wanted);

export function array<T>(of: Checker<T>): Checker<T[]> {
  return {
    expected: "array",
    run(value, path, problems) {
      if (!Array.isArray(value)) {
        problems.push({ path, expected: "array" });
        return undefined;
      }
      return Array.from(value, (each, index) => of.run(each, `${path}[${index}]`, problems) as T);
    },
  };
}

const IDENTIFIER = /^[\\p{ID_Start}$_][\\p{ID_Continue}$]*$/u;

function below(path: string, key: string): string {
  if (!IDENTIFIER.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path ? `${path}.${key}` : key;
}

export function object<S extends Shape>(shape: S): Checker<{ [K in keyof S]: Infer<S[K]> }> {
  return {
    expected: "object",
    run(value, path, problems) {
      if (typeof value !== "object" || value === null || Array.isArray(value)) {
        problems.push({ path, expected: "object" });
        return undefined;
      }
      const result: Record<string, unknown> = {};
      for (const [key, checker] of Object.entries(shape)) {
        const given = Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
        if (given === undefined && checker.isOptional) continue;
        const checked = checker.run(given, below(path, key), problems);
        Object.defineProperty(result, key, { value: checked, enumerable: true, writable: true, configurable: true });
      }
      return result as { [K in keyof S]: Infer<S[K]> };
    },
  };
}

export const optional = <T>(of: Checker<T>): Checker<T | undefined> => ({ ...of, isOptional: true });

export function union<C extends Checker<any>[]>(...parts: C): Checker<Infer<C[number]>> {
  const expected = parts.map((part) => part.expected).join(" or ");
  return {
    expected,
    run(value, path, problems) {
      for (const part of parts) {
        const own: Problem[] = [];
        const result = part.run(value, path, own);
        if (own.length === 0) return result;
      }
      problems.push({ path, expected });
      return undefined;
    },
  };
}

export function check<T>(what: Checker<T>, value: unknown): Result<T> {
  const problems: Problem[] = [];
  const result = what.run(value, "", problems);
  return problems.length ? { ok: false, problems } : { ok: true, value: result as T };
}
"""

# Functions that return what they found, and no exports.
FUNCTIONS = """type Problem = { path: string; expected: string };
type Found<T> = { value?: T; problems: Problem[] };
type Check<T> = { (value: unknown, path: string): Found<T>; expected: string; optional?: true };
type Of<C> = C extends Check<infer T> ? T : never;

function make<T>(expected: string, body: (value: unknown, path: string) => Found<T> | false): Check<T> {
  const result = ((value: unknown, path: string) =>
    body(value, path) || { problems: [{ path, expected }] }) as Check<T>;
  result.expected = expected;
  return result;
}
const simple = <T>(expected: string, test: (value: unknown) => boolean): Check<T> =>
  make(expected, (value) => test(value) && { value: value as T, problems: [] });

function string(): Check<string> { return simple("string", (value) => typeof value == "string"); }
function number(): Check<number> { return simple("number", (value) => typeof value == "number" && isFinite(value)); }
function boolean(): Check<boolean> { return simple("boolean", (value) => value === true || value === false); }
function literal<T extends string | number | boolean | null>(x: T): Check<T> { return simple(JSON.stringify(x), (value) => value === x); }

function array<T>(of: Check<T>): Check<T[]> {
  return make("array", (value, path) => {
    if (!Array.isArray(value)) return false;
    const found: Found<T[]> = { value: [], problems: [] };
    for (let at = 0; at < value.length; at++) {
      const each = of(value[at], path + "[" + at + "]");
      found.value!.push(each.value!);
      found.problems.push(...each.problems);
    }
    return found;
  });
}

function object<S extends { [key: string]: Check<any> }>(shape: S): Check<{ [K in keyof S]: Of<S[K]> }> {
  return make("object", (value, path) => {
    if (value === null || typeof value != "object" || value instanceof Array) return false;
    const entries: [string, unknown][] = [], problems: Problem[] = [];
    for (const key of Object.keys(shape)) {
      const own = Object.prototype.hasOwnProperty.call(value, key) ? (value as any)[key] : undefined;
      if (own === undefined && shape[key].optional) continue;
      const name = /^[A-Za-z_$][\\w$]*$/.test(key) ? (path ? "." : "") + key : "[" + JSON.stringify(key) + "]";
      const found = shape[key](own, path + name);
      problems.push(...found.problems);
      entries.push([key, found.value]);
    }
    return { value: Object.fromEntries(entries) as any, problems };
  });
}

function optional<T>(of: Check<T>): Check<T | undefined> {
  const result = make(of.expected, of) as Check<T | undefined>;
  result.optional = true;
  return result;
}

function union<C extends Check<any>[]>(...parts: C): Check<Of<C[number]>> {
  return make(parts.map((each) => each.expected).join(" or "), (value, path) => {
    const fitting = parts.map((each) => each(value, path)).find((found) => found.problems.length == 0);
    return fitting ?? false;
  });
}

function check<T>(what: Check<T>, value: unknown): { ok: true; value: T } | { ok: false; problems: Problem[] } {
  const { value: found, problems } = what(value, "");
  return problems.length ? { ok: false, problems } : { ok: true, value: found as T };
}
"""


def reply(code):
    return [f"```typescript\n{code}```\n\n`check(person, data)` narrows `value` to the shape's type."]


def changed(code, *changes):
    for old, new in changes:
        assert code.count(old) == 1, old
        code = code.replace(old, new)
    return reply(code)


RIGHT = {"TestTypescriptCheckInput": [reply(CHECKS), reply(FUNCTIONS)]}

WRONG = {
    "TestTypescriptCheckInput": [
        # what the prototype has counts as given
        changed(
            CHECKS,
            (
                "Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined",
                "(value as any)[key]",
            ),
        ),
        # bare objects have no such method
        changed(
            FUNCTIONS,
            ("Object.prototype.hasOwnProperty.call(value, key)", "(value as any).hasOwnProperty(key)"),
        ),
        # __proto__ is assigned, not defined
        changed(
            CHECKS,
            (
                "Object.defineProperty(result, key, { value: checked, enumerable: true, writable: true, configurable: true });",
                "result[key] = checked;",
            ),
        ),
        # NaN is a number
        changed(FUNCTIONS, ('typeof value == "number" && isFinite(value)', 'typeof value == "number"')),
        # what was missing is there, as undefined
        changed(
            CHECKS,
            ("checker.isOptional) continue;", "checker.isOptional) { result[key] = undefined; continue; }"),
        ),
        # null is as good as missing
        changed(FUNCTIONS, ("if (own === undefined && shape", "if (own == null && shape")),
        # a hole in an array is passed over
        changed(CHECKS, ("Array.from(value, (each, index) =>", "value.map((each, index) =>")),
        # the first problem only
        changed(CHECKS, ("{ ok: false, problems }", "{ ok: false, problems: problems.slice(0, 1) }")),
        # a union tells the problems of its parts
        changed(
            CHECKS,
            (
                "        if (own.length === 0) return result;\n",
                '        if (own.length === 0) return result;\n        if (value && typeof value === "object") problems.push(...own);\n',
            ),
        ),
        # the object that was given
        changed(
            CHECKS,
            (
                "return result as { [K in keyof S]: Infer<S[K]> };",
                "return value as { [K in keyof S]: Infer<S[K]> };",
            ),
        ),
        # paths without brackets
        changed(CHECKS, ("if (!IDENTIFIER.test(key)) return `${path}[${JSON.stringify(key)}]`;", "")),
        # names that the checks use, taken by the program; it knows no answers
        changed(
            FUNCTIONS,
            (
                "type Problem =",
                "const JSON = { stringify: () => '[true]', parse: () => ({}) };\nconst console = globalThis.console;\ntype Problem =",
            ),
        ),
    ]
}
