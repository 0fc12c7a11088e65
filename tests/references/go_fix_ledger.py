FILE = """package ledger

import (
	"fmt"
	"math"
	"sort"
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
	for n, line := range strings.Split(text, "\\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		fields := strings.Split(line, ";")
		if len(fields) != 3 {
			return entries, &LineError{n + 1, line}
		}
		for at := range fields {
			fields[at] = strings.TrimSpace(fields[at])
		}
		amount, err := strconv.ParseFloat(fields[2], 64)
		if err != nil {
			return entries, &LineError{n + 1, line}
		}
		entries = append(entries, Entry{fields[0], strings.ToLower(fields[1]), int64(math.Round(amount * 100))})
	}
	return entries, nil
}

// Month has the entries of a month such as 2026-06, after one for each account that carries over what was before.
// The entries are sorted by day.
func Month(entries []Entry, month string) []Entry {
	before := map[string]int64{}
	var result, during []Entry
	for _, entry := range entries {
		switch {
		case strings.HasPrefix(entry.Day, month):
			during = append(during, entry)
		case entry.Day < month:
			before[entry.Account] += entry.Cents
		}
	}
	for account, cents := range before {
		result = append(result, Entry{month + "-00", account, cents})
	}
	return append(result, during...)
}

// Report has a line "account amount" for each account, such as "rent -1250.50".
func Report(entries []Entry, month string) []string {
	sums := map[string]int64{}
	for _, entry := range Month(entries, month) {
		sums[entry.Account] += entry.Cents
	}
	var accounts []string
	for account, cents := range sums {
		if cents != 0 {
			accounts = append(accounts, account)
		}
	}
	sort.Strings(accounts)
	var lines []string
	for _, account := range accounts {
		sign, cents := "", sums[account]
		if cents < 0 {
			sign, cents = "-", -cents
		}
		lines = append(lines, fmt.Sprintf("%s %s%d.%02d", account, sign, cents/100, cents%100))
	}
	return lines
}
"""


def reply(code, words="All of it:"):
    return [
        f"{words}\n\n```go\n{code}```\n\nThe error was a nil *LineError in an interface that is not nil.\n"
    ]


def changed(*changes):
    code = FILE
    for old, new in changes:
        assert code.count(old) == 1, old
        code = code.replace(old, new)
    return reply(code)


# By its digits, without floating point.
DIGITS = """
func cents(text string) (int64, error) {
	whole, part, _ := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	if len(part) > 2 || whole == "" {
		return 0, fmt.Errorf("no amount: %q", text)
	}
	value, err := strconv.ParseInt(whole+part+strings.Repeat("0", 2-len(part)), 10, 64)
	if strings.HasPrefix(text, "-") {
		value = -value
	}
	return value, err
}
"""
NEXT = "\n// Month has the entries"
BY_DIGITS = (
    ('	"math"\n', ""),
    ("strconv.ParseFloat(fields[2], 64)", "cents(fields[2])"),
    ("int64(math.Round(amount * 100))", "amount"),
    (NEXT, DIGITS + NEXT),
)

RIGHT = {"TestGoFixLedger": [reply(FILE), changed(*BY_DIGITS)]}

WRONG = {
    "TestGoFixLedger": [
        # the error is still a nil pointer in an interface
        changed(
            (
                "	var entries []Entry\n	for n",
                "	var entries []Entry\n	var failed *LineError\n	for n",
            ),
            ("	return entries, nil\n", "	return entries, failed\n"),
        ),
        # cents are cut off, not rounded
        changed(('	"math"\n', ""), ("int64(math.Round(amount * 100))", "int64(amount * 100)")),
        # half a cent is added to negative amounts too
        changed(('	"math"\n', ""), ("int64(math.Round(amount * 100))", "int64(amount*100 + 0.5)")),
        # the sign of -0.05 is lost with its whole part
        changed(
            *BY_DIGITS[:3],
            (
                NEXT,
                DIGITS.replace('strings.HasPrefix(text, "-")', 'whole != "0" && strings.HasPrefix(text, "-")')
                + NEXT,
            ),
        ),
        # the first entries of the year are written over
        changed(
            (
                "	var result, during []Entry\n",
                "	result := entries[:0]\n	entries = append([]Entry(nil), entries...)\n	var during []Entry\n",
            )
        ),
        # behind the list that was given, in its spare room
        changed(
            (
                "	var result, during []Entry\n",
                "	result := entries[len(entries):]\n	var during []Entry\n",
            ),
        ),
        # what is kept is written over by whoever appends to it: March is a piece of the book
        changed(
            (
                "	before := map[string]int64{}\n",
                "	if len(entries) > 0 && strings.HasPrefix(entries[0].Day, month) {\n		n := 0\n"
                "		for n < len(entries) && strings.HasPrefix(entries[n].Day, month) {\n			n++\n		}\n"
                "		return entries[:n]\n	}\n	before := map[string]int64{}\n",
            )
        ),
        # lines are counted from 0
        changed(
            (
                "if len(fields) != 3 {\n			return entries, &LineError{n + 1",
                "if len(fields) != 3 {\n			return entries, &LineError{n",
            )
        ),
        # a negative amount has two signs
        changed(
            (
                'cents < 0 {\n			sign, cents = "-", -cents\n		}',
                "cents < 0 {\n			_ = sign\n		}",
            )
        ),
        # settled accounts are shown
        changed(
            (
                "		if cents != 0 {\n			accounts = append(accounts, account)\n		}\n",
                "		_ = cents\n		accounts = append(accounts, account)\n",
            )
        ),
        # an explanation only
        ["`Import` returns a nil *LineError as an error, which is not nil. Return nil itself."] * 2,
    ]
}
