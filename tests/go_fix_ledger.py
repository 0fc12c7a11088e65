from evaluator import *

DESCRIPTION = "Can the model find what go forgives: shared slices, errors that are not nil, copies in loops?"
TAGS = ["code", "go", "debug"]
DETERMINISTIC = True

question = """
I moved our little ledger to go, and it's driving me mad. Import complains about every file although there's nothing wrong with
them ("import failed: <nil>"). When I ignore that: some sums are a cent off, "Rent" and "rent" are two accounts although it
should all be lower case, and the report has another order each time. And today I saw that printing the report for june
changes the numbers of the one for may, how can that be?

Please find everything that is wrong, also what I haven't noticed yet, and show me the whole file again (no main; names, types and
signatures stay, standard library only). How it should be: a line is day;account;amount, like 2026-05-31;Rent;-1250.5, with
at most two digits after the point, a sign only where it's negative; blanks around each of the three are ignored, so are empty
lines. Import reads up to the first line that it can't understand and returns what it had until then, and for that line a
*LineError. Report carries what was there before the month over into one entry, with the account it belongs to, and is sorted
by account; an account that ends the month at 0 isn't shown. Nobody's list of entries may change under their hands.

package ledger

import (
	"fmt"
	"strconv"
	"strings"
)

type Entry struct {
	Day     string
	Account string
	Cents   int64
}

type LineError struct {
	Line int // the first is 1
	Text string
}

func (e *LineError) Error() string {
	return fmt.Sprintf("line %d: cannot read %q", e.Line, e.Text)
}

// Import reads entries, one a line.
func Import(text string) ([]Entry, error) {
	var entries []Entry
	var failed *LineError
	for n, line := range strings.Split(text, "\\n") {
		fields := strings.Split(line, ";")
		if len(fields) != 3 {
			failed = &LineError{n, line}
			break
		}
		amount, err := strconv.ParseFloat(strings.TrimSpace(fields[2]), 64)
		if err != nil {
			failed = &LineError{n, line}
			break
		}
		entries = append(entries, Entry{strings.TrimSpace(fields[0]), fields[1], int64(amount * 100)})
	}
	for _, entry := range entries {
		entry.Account = strings.ToLower(strings.TrimSpace(entry.Account))
	}
	return entries, failed
}

// Month has the entries of a month such as 2026-06, after one for each account that carries over what was before.
// The entries are sorted by day.
func Month(entries []Entry, month string) []Entry {
	from := 0
	for from < len(entries) && entries[from].Day < month {
		from++
	}
	before := map[string]int64{}
	for _, entry := range entries[:from] {
		before[entry.Account] += entry.Cents
	}
	result := entries[:0]
	for account, cents := range before {
		result = append(result, Entry{month + "-00", account, cents})
	}
	for _, entry := range entries[from:] {
		if strings.HasPrefix(entry.Day, month) {
			result = append(result, entry)
		}
	}
	return result
}

// Report has a line "account amount" for each account, such as "rent -1250.50".
func Report(entries []Entry, month string) []string {
	sums := map[string]int64{}
	for _, entry := range Month(entries, month) {
		sums[entry.Account] += entry.Cents
	}
	var lines []string
	for account, cents := range sums {
		lines = append(lines, fmt.Sprintf("%s %d.%02d", account, cents/100, cents%100))
	}
	return lines
}
"""

# Each line of the output is a name and what was seen, as JSON; it is compared here, not there.
checks = r"""
import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sort"
)

func main() {
	seen := func(name string, values ...any) {
		text, _ := json.Marshal(values)
		fmt.Fprintf(os.Stdout, "SEEN %s %s\n", name, text)
	}
	failure := func(err error) any {
		var line *LineError
		if err == nil {
			return "none"
		} else if !errors.As(err, &line) || line == nil {
			return "another error"
		}
		return []any{line.Line, line.Text, line.Error()}
	}
	rows := func(entries []Entry) []any {
		list := []any{}
		for _, each := range entries {
			list = append(list, []any{each.Day, each.Account, each.Cents})
		}
		return list
	}
	cents := func(text string) any {
		entries, err := Import("2026-01-01;a;" + text)
		if err != nil || len(entries) != 1 {
			return failure(err)
		}
		return entries[0].Cents
	}
	entries, err := Import("2026-04-30;Rent;-1250.5\n 2026-05-01 ; Food ;-19.99\n\n2026-05-02;food;-4.35 \n   \n2026-05-31;RENT;1250.50\n")
	seen("imported", rows(entries), failure(err))
	entries, err = Import("")
	seen("empty", rows(entries), failure(err))
	for _, bad := range []string{"2026-01-01;a", "2026-01-01;a;1;2", "2026-01-01;a;much", "2026-01-01;a;", "2026-01-01;a;1,5"} {
		entries, err = Import("2026-01-01;A;1\n\n" + bad + "\n2026-01-02;b;2")
		seen("bad line "+bad, rows(entries), failure(err))
	}
	amounts := []string{"0", "7", "12.5", "0.29", "1.15", "-0.05", "-0.5", "-19.99", "4.35", "1001.10", "-8.2", "0.07", "-0.01"}
	read := []any{}
	for _, amount := range amounts {
		read = append(read, cents(amount))
	}
	seen("amounts", read...)

	book := make([]Entry, 0, 64) // with room for more, as append leaves it
	for _, each := range []Entry{
		{"2026-03-05", "food", -1000}, {"2026-04-01", "bank", 500000}, {"2026-04-30", "rent", -125050},
		{"2026-05-01", "rent", -5}, {"2026-05-02", "food", -435}, {"2026-05-02", "bank", -499901},
		{"2026-05-31", "gift", 250}, {"2026-06-01", "gift", -250}, {"2026-06-02", "zoo", -7}, {"2026-06-02", "bank", -199},
		{"2026-07-01", "food", -1},
	} {
		book = append(book, each)
	}
	original := append([]Entry(nil), book...)
	may, june := Report(book, "2026-05"), Report(book, "2026-06")
	seen("may", may)
	seen("june", june)
	seen("may again", Report(book, "2026-05"))
	same := true
	for n := range book {
		same = same && book[n] == original[n]
	}
	beyond := book[:cap(book)]
	for _, each := range beyond[len(book):] {
		same = same && each == Entry{}
	}
	seen("book unchanged", same)
	month := append([]Entry(nil), Month(book, "2026-05")...)
	carried := month[:min(3, len(month))]
	sort.SliceStable(carried, func(a, b int) bool { return carried[a].Account < carried[b].Account })
	seen("month", rows(month))
	taken := Month(book, "2026-03")
	if len(taken) > 0 {
		taken[0].Cents = 1
		_ = append(taken, Entry{"x", "x", 1})
	}
	seen("month is its own", rows(book[:2]))
	seen("before all", len(Report(book, "2025-12")))
	steady := true
	for n := 0; n < 50; n++ {
		again, _ := json.Marshal(Report(book, "2026-06"))
		first, _ := json.Marshal(june)
		steady = steady && string(again) == string(first)
	}
	seen("same each time", steady)
}
"""

_kept = [["2026-01-01", "a", 100]]
goal = {
    "imported": [
        [
            ["2026-04-30", "rent", -125050],
            ["2026-05-01", "food", -1999],
            ["2026-05-02", "food", -435],
            ["2026-05-31", "rent", 125050],
        ],
        "none",
    ],
    "empty": [[], "none"],
    **{
        f"bad line {bad}": [_kept, [3, bad, f'line 3: cannot read "{bad}"']]
        for bad in (
            "2026-01-01;a",
            "2026-01-01;a;1;2",
            "2026-01-01;a;much",
            "2026-01-01;a;",
            "2026-01-01;a;1,5",
        )
    },
    "amounts": [0, 700, 1250, 29, 115, -5, -50, -1999, 435, 100110, -820, 7, -1],
    "may": [["bank 0.99", "food -14.35", "gift 2.50", "rent -1250.55"]],
    "june": [["bank -1.00", "food -14.35", "rent -1250.55", "zoo -0.07"]],
    "may again": [["bank 0.99", "food -14.35", "gift 2.50", "rent -1250.55"]],
    "book unchanged": [True],
    "month": [
        [
            ["2026-05-00", "bank", 500000],
            ["2026-05-00", "food", -1000],
            ["2026-05-00", "rent", -125050],
            ["2026-05-01", "rent", -5],
            ["2026-05-02", "food", -435],
            ["2026-05-02", "bank", -499901],
            ["2026-05-31", "gift", 250],
        ]
    ],
    "month is its own": [[["2026-03-05", "food", -1000], ["2026-04-01", "bank", 500000]]],
    "before all": [0],
    "same each time": [True],
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
        f"{name}: {seen.get(name)}, not {wanted}" for name, wanted in goal.items() if seen.get(name) != wanted
    ]
    return not wrong, "\n".join(wrong) or "all as wanted"


TestGoFixLedger = question >> LLMRun() >> ExtractCode(lang="go") >> GoRun(checks) >> PyFunc(as_wanted)

if __name__ == "__main__":
    print(run_test(TestGoFixLedger))
