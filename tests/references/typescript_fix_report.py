FILE = """export enum Status { Open = "Open", Paid = "Paid", Overdue = "Overdue" }

export interface Invoice {
  id: number;
  customer: string;
  issued: string; // yyyy-mm-dd
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

function total(invoice: Invoice): number {
  const exact = (invoice.net * (100 - (invoice.discount ?? 10))) / 100;
  return Math.sign(exact) * Math.round(Math.abs(exact));
}

export function report(json: string, year: number): Report {
  const invoices = JSON.parse(json) as Invoice[];
  const ofYear = invoices.filter((i) => Number(i.issued.slice(0, 4)) === year);

  const open = ofYear.filter((i) => i.status !== Status.Paid).map((i) => i.id).sort((a, b) => a - b);

  const months = new Array<number>(12).fill(0);
  const totals = new Map<string, number>();
  let latest: Invoice | undefined;
  for (const i of ofYear) {
    months[Number(i.issued.slice(5, 7)) - 1] += total(i);
    totals.set(i.customer, (totals.get(i.customer) ?? 0) + total(i));
    if (!latest || i.issued > latest.issued || (i.issued === latest.issued && i.id > latest.id)) latest = i;
  }
  const best = [...totals]
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : a > b ? 1 : 0))
    .slice(0, 3)
    .map(([name]) => name);

  return { open, months, best, latest: latest?.id ?? null };
}
"""

# The enum as it was, its words looked up; dates in UTC; an object without a prototype.
LOOKED_UP = (
    (
        'export enum Status { Open = "Open", Paid = "Paid", Overdue = "Overdue" }',
        "export enum Status { Open, Paid, Overdue }",
    ),
    ("  status: Status;", "  status: keyof typeof Status;"),
    ("i.status !== Status.Paid", "Status[i.status] !== Status.Paid"),
    ("Number(i.issued.slice(0, 4)) === year", "new Date(i.issued).getUTCFullYear() === year"),
    ("Number(i.issued.slice(5, 7)) - 1", "new Date(i.issued).getUTCMonth()"),
    ("new Map<string, number>()", "Object.create(null) as Record<string, number>"),
    (
        "totals.set(i.customer, (totals.get(i.customer) ?? 0) + total(i));",
        "totals[i.customer] = (totals[i.customer] ?? 0) + total(i);",
    ),
    ("[...totals]", "Object.entries(totals)"),
)


def reply(code):
    return [f"Here is the file, with all of it mended:\n\n```ts\n{code}```\n"]


def changed(*changes):
    code = FILE
    for old, new in changes:
        assert code.count(old) == 1, old
        code = code.replace(old, new)
    return reply(code)


RIGHT = {"TestTypescriptFixReport": [reply(FILE), changed(*LOOKED_UP)]}

WRONG = {
    "TestTypescriptFixReport": [
        # words are still compared with numbers
        changed(LOOKED_UP[0]),
        # a discount of 0 is none
        changed(("discount ?? 10", "discount || 10")),
        # Lima's months
        changed(("Number(i.issued.slice(5, 7)) - 1", "new Date(i.issued).getMonth()")),
        # Auckland's years would do, Lima's do not
        changed(("Number(i.issued.slice(0, 4)) === year", "new Date(i.issued).getFullYear() === year")),
        # ids in the order of their digits
        changed((".sort((a, b) => a - b)", ".sort()")),
        # totals outlive the call
        changed(
            ("  const totals = new Map<string, number>();\n", ""),
            ("function total(", "const totals = new Map<string, number>();\n\nfunction total("),
        ),
        # a customer named constructor
        changed(("new Map<string, number>()", "{} as Record<string, number>"), *LOOKED_UP[6:]),
        # half a cent below 0 goes up
        changed(("return Math.sign(exact) * Math.round(Math.abs(exact));", "return Math.round(exact);")),
        # the first of several on the last day
        changed((" || (i.issued === latest.issued && i.id > latest.id)", "")),
        # an id of 0 is no invoice
        changed(("latest?.id ?? null", "latest?.id || null")),
        # the order of the list where totals are the same
        changed((" || (a < b ? -1 : a > b ? 1 : 0)", "")),
        # the alphabet of a language
        changed(("(a < b ? -1 : a > b ? 1 : 0)", "a.localeCompare(b)")),
    ]
}
