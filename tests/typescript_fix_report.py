from evaluator import *

DESCRIPTION = "Can the model find what typescript's types don't see: strings for enums, shared arrays, zeroes, time zones?"
TAGS = ["code", "typescript", "debug"]
DETERMINISTIC = True

question = """
Our typescript compiles in strict mode without a word, and still the yearly report is wrong: paid invoices are counted as open, in
every month I see the invoices of the whole year, customers with a discount of 0 get the usual 10 %, and on the server (it stands
in Lima) invoices of the first of a month end up in the month before. I think there is more. Please go through it and
show me the whole file again, with the same exports and types of their results; plain typescript for node, no packages.

Invoices come as JSON, like {"id": 12, "customer": "Ann", "issued": "2026-03-01", "net": 1999, "discount": 5, "status": "Paid"}; net is in cents
and may be negative, discount in percent (10 if there's none), status is always one of the three words. What remains after
the discount is rounded to whole cents, half a cent away from 0, for each invoice. open has the ids of what isn't paid, months
the total of each month from January on, best the three customers with the highest totals (the names in alphabetical order by
their character codes where totals are the same), latest the invoice that was issued last (of several the one with the highest
id), or null. Only invoices of the year that was asked for count, in everything. json isn't to be changed by the report, so to speak:
two calls with the same string return the same.

export enum Status { Open, Paid, Overdue }

export interface Invoice {
  id: number;
  customer: string;
  issued: string;
  net: number;
  discount?: number;
  status: Status;
}

export interface Report {
  open: number[]; // ascending
  months: number[];
  best: string[];
  latest: number | null;
}

const totals: { [customer: string]: number } = {};

function total(invoice: Invoice): number {
  return Math.round((invoice.net * (100 - (invoice.discount || 10))) / 100);
}

export function report(json: string, year: number): Report {
  const invoices = JSON.parse(json) as Invoice[];
  const ofYear = invoices.filter((i) => new Date(i.issued).getFullYear() === year);

  const open = ofYear.filter((i) => i.status !== Status.Paid).map((i) => i.id).sort();

  const months: Invoice[][] = new Array(12).fill([]);
  for (const i of ofYear) months[new Date(i.issued).getMonth()].push(i);

  for (const i of ofYear) totals[i.customer] = (totals[i.customer] ?? 0) + total(i);
  const best = Object.keys(totals).sort((a, b) => totals[b] - totals[a]).slice(0, 3);

  let latest: Invoice | undefined;
  for (const i of ofYear) if (!latest || i.issued > latest.issued) latest = i;

  return { open, months: months.map((list) => list.reduce((sum, i) => sum + total(i), 0)), best, latest: latest!.id || null };
}
"""

checks = r"""
{
  const seen = (name: string, ...values: unknown[]) => console.log(`SEEN ${name} ${JSON.stringify(values)}`);
  const rows = (list: [number, string, string, number, number | undefined, string][]) => JSON.stringify(
    list.map(([id, customer, issued, net, discount, status]) => ({ id, customer, issued, net, ...(discount === undefined ? {} : { discount }), status })));
  const year = rows([
    [9, "Ann", "2026-01-01", 1000, 0, "Paid"], [10, "Bob", "2026-12-31", 5000, undefined, "Open"], [2, "Cleo", "2026-03-01", 1999, 5, "Overdue"],
    [100, "Dan", "2026-03-31", 700, 0, "Open"], [33, "Ann", "2025-12-31", 99999, 0, "Open"], [34, "Ann", "2027-01-01", 88888, 0, "Open"],
    [11, "Eve", "2026-02-28", -1500, 0, "Paid"], [0, "Bob", "2026-07-01", 250, 100, "Open"],
  ]);
  for (const zone of ["America/Lima", "UTC", "Pacific/Auckland"]) {
    process.env.TZ = zone;
    new Date().getTimezoneOffset();
    seen(`year in ${zone}`, report(year, 2026), report(year, 2025).open, report(year, 2027).months[0]);
  }
  seen("again", report(year, 2026).best, report(year, 2026).best);
  seen("nothing", report("[]", 2026), report(year, 2000));
  seen("rounding", report(rows([[1, "a", "2026-01-05", 5, undefined, "Open"]]), 2026).months[0], report(rows([[1, "a", "2026-01-05", -5, undefined, "Open"]]), 2026).months[0],
    report(rows([[1, "a", "2026-01-05", -15, 10, "Open"], [2, "a", "2026-01-06", 15, 10, "Open"], [3, "b", "2026-01-07", -25, 50, "Open"]]), 2026).months[0],
    report(rows([[1, "a", "2026-01-05", 50, 3, "Open"], [2, "a", "2026-01-05", 150, 7, "Open"]]), 2026).months[0]);
  seen("names", report(rows([
    [1, "constructor", "2026-05-05", 400, 0, "Paid"], [2, "toString", "2026-05-05", 300, 0, "Paid"], [3, "__proto__", "2026-05-05", 500, 0, "Paid"], [4, "x", "2026-05-05", 300, 0, "Paid"],
  ]), 2026).best);
  seen("numbers as names", report(rows([[1, "12", "2026-05-05", 100, 0, "Paid"], [2, "2", "2026-05-05", 100, 0, "Paid"], [3, "b", "2026-05-05", 100, 0, "Paid"], [4, "B", "2026-05-05", 100, 0, "Paid"]]), 2026).best);
  seen("below 0", report(rows([[1, "a", "2026-05-05", -100, 0, "Paid"], [2, "b", "2026-05-05", -300, 0, "Paid"]]), 2026).best);
  seen("latest", report(rows([[7, "a", "2026-05-05", 1, 0, "Paid"], [12, "a", "2026-06-05", 1, 0, "Paid"], [9, "a", "2026-06-05", 1, 0, "Paid"]]), 2026).latest,
    report(rows([[0, "a", "2026-06-05", 1, 0, "Paid"]]), 2026).latest, report(rows([[9, "a", "2026-06-05", 1, 0, "Paid"], [12, "a", "2026-06-05", 1, 0, "Paid"]]), 2026).latest);
}
"""

_year = [
    {
        "open": [0, 2, 10, 100],
        "months": [1000, -1500, 1899 + 700, 0, 0, 0, 0, 0, 0, 0, 0, 4500],
        "best": ["Bob", "Cleo", "Ann"],
        "latest": 10,
    },
    [33],
    88888,
]
_none = {"open": [], "months": [0] * 12, "best": [], "latest": None}
goal = {
    **{f"year in {zone}": _year for zone in ("America/Lima", "UTC", "Pacific/Auckland")},
    "again": [["Bob", "Cleo", "Ann"]] * 2,
    "nothing": [_none, _none],
    "rounding": [5, -5, -13, 49 + 140],
    "names": [["__proto__", "constructor", "toString"]],
    "numbers as names": [["12", "2", "B"]],
    "below 0": [["a", "b"]],
    "latest": [12, 0, 12],
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
    wrong = [
        f"{name}: {seen.get(name)}\n    not {wanted}"
        for name, wanted in goal.items()
        if seen.get(name) != wanted
    ]
    return not wrong, "\n".join(wrong) or "all as wanted"


TestTypescriptFixReport = (
    question >> LLMRun() >> ExtractCode(lang="typescript") >> TypeScriptRun(checks) >> PyFunc(as_wanted)
)

if __name__ == "__main__":
    print(run_test(TestTypescriptFixReport))
