from evaluator import *

DESCRIPTION = (
    "Can the model run calls side by side in go: limited, cancelled at the first error, none left behind?"
)
TAGS = ["code", "go", "threads"]
DETERMINISTIC = True

question = """
Please write this go function (standard library only, no main):

    func MapLimit[T, R any](ctx context.Context, limit int, items []T, f func(context.Context, T) (R, error)) ([]R, error)

It calls f for every item, starting the calls in the order of the items, never more than limit at the same time, but as many
as that whenever there are items left (limit is at least 1), and returns the results in the order of the items.

As soon as a call fails, the context that the calls were given is cancelled, and from then on no call begins. MapLimit waits for
those that are still running and then returns nil and the error that came first. If ctx ends before all items are done, the
same happens, with ctx.Err() as the error. In any case the calls' context has ended when MapLimit returns, and no goroutine of
its is left. f doesn't panic.
"""

# Each line of the output is a name and what was seen, as JSON; it is compared here, not there.
checks = r"""
import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

func main() {
	type key struct{}
	seen := func(name string, values ...any) {
		text, _ := json.Marshal(values)
		fmt.Fprintf(os.Stdout, "SEEN %s %s\n", name, text)
	}
	upTo := func(n int) []int {
		items := []int{}
		for i := 0; i < n; i++ {
			items = append(items, i)
		}
		return items
	}
	soon := func(c <-chan struct{}) bool {
		select {
		case <-c:
			return true
		case <-time.After(5 * time.Second):
			return false
		}
	}
	background := context.WithValue(context.Background(), key{}, "given")
	before := runtime.NumGoroutine()

	words, err := MapLimit(background, 3, upTo(20), func(_ context.Context, n int) (string, error) {
		time.Sleep(time.Duration(n*7%5) * time.Millisecond)
		return fmt.Sprint(n * n), nil
	})
	seen("squares", words, err == nil)

	none, err := MapLimit(background, 3, []string{}, func(context.Context, string) (int, error) { panic("called") })
	seen("nothing to do", len(none), err == nil)

	for _, each := range [][2]int{{4, 12}, {100, 3}, {1, 5}, {3, 3}} {
		limit, count := each[0], each[1]
		together := min(limit, count)
		var running, peak atomic.Int32
		full := make(chan struct{})
		var once sync.Once
		_, err := MapLimit(background, limit, upTo(count), func(context.Context, int) (int, error) {
			now := running.Add(1)
			defer running.Add(-1)
			for old := peak.Load(); now > old && !peak.CompareAndSwap(old, now); old = peak.Load() {
			}
			if int(now) == together {
				once.Do(func() { close(full) })
			}
			if !soon(full) {
				return 0, errors.New("the others never came")
			}
			time.Sleep(2 * time.Millisecond)
			return 0, nil
		})
		seen(fmt.Sprintf("%d of %d", limit, count), peak.Load(), err == nil)
	}

	var order []int
	MapLimit(background, 1, upTo(6), func(_ context.Context, n int) (int, error) { order = append(order, n); return 0, nil })
	seen("in order", order)

	// Item 2 fails while 3 is running; 3 takes its time to notice. Nothing may begin after that.
	late, early, other, kept := 0, 0, 0, 0
	for round := 0; round < 150; round++ {
		var started atomic.Int32
		three, done := make(chan struct{}), atomic.Bool{}
		results, err := MapLimit(background, 2, upTo(9), func(ctx context.Context, n int) (int, error) {
			started.Add(1)
			switch {
			case n == 2:
				soon(three)
				return 0, errors.New("bad 2")
			case n == 3:
				close(three)
				soon(ctx.Done())
				if round%10 == 0 {
					time.Sleep(3 * time.Millisecond)
				}
				done.Store(true)
				return 0, ctx.Err()
			}
			return n, nil
		})
		if started.Load() != 4 {
			late++
		}
		if !done.Load() {
			early++
		}
		if err == nil || err.Error() != "bad 2" {
			other++
		}
		if results != nil {
			kept++
		}
	}
	seen("after a failure", late, early, other, kept)

	// An item further back fails first.
	_, err = MapLimit(background, 3, upTo(3), func(ctx context.Context, n int) (int, error) {
		if n == 2 {
			return 0, errors.New("bad 2")
		}
		soon(ctx.Done())
		return 0, fmt.Errorf("stopped %d: %w", n, ctx.Err())
	})
	seen("first in time", fmt.Sprint(err))

	late, other, kept = 0, 0, 0
	for round := 0; round < 100; round++ {
		ctx, cancel := context.WithCancel(background)
		var started, ended atomic.Int32
		both := make(chan struct{})
		results, err := MapLimit(ctx, 2, upTo(50), func(ctx context.Context, n int) (int, error) {
			if started.Add(1) == 2 {
				close(both)
				cancel()
			}
			soon(both)
			soon(ctx.Done())
			ended.Add(1)
			return n, nil
		})
		if started.Load() != 2 || ended.Load() != 2 {
			late++
		}
		if !errors.Is(err, context.Canceled) {
			other++
		}
		if results != nil {
			kept++
		}
	}
	seen("cancelled from outside", late, other, kept)

	calls := 0
	other = 0
	for round := 0; round < 40; round++ {
		ended, cancel := context.WithTimeout(background, -time.Second)
		_, err = MapLimit(ended, 1, upTo(9), func(context.Context, int) (int, error) { calls++; return 0, nil })
		if !errors.Is(err, context.DeadlineExceeded) {
			other++
		}
		cancel()
	}
	seen("ended before", calls, other)

	var inner context.Context
	_, err = MapLimit(background, 1, upTo(1), func(ctx context.Context, _ int) (int, error) { inner = ctx; return 0, ctx.Err() })
	seen("the calls' context", err == nil, inner.Err() != nil, inner.Value(key{}), background.Err() == nil)

	var sum atomic.Int64
	many, err := MapLimit(background, 8, upTo(100000), func(_ context.Context, n int) (int, error) { sum.Add(int64(n)); return -n, nil })
	seen("many", len(many), many[99999], sum.Load(), err == nil)

	left := runtime.NumGoroutine() - before
	for wait := 0; left > 0 && wait < 100; wait++ {
		time.Sleep(10 * time.Millisecond)
		left = runtime.NumGoroutine() - before
	}
	seen("left behind", left)
}
"""

goal = {
    "squares": [[str(n * n) for n in range(20)], True],
    "nothing to do": [0, True],
    "4 of 12": [4, True],
    "100 of 3": [3, True],
    "1 of 5": [1, True],
    "3 of 3": [3, True],
    "in order": [list(range(6))],
    "after a failure": [0, 0, 0, 0],
    "first in time": ["bad 2"],
    "cancelled from outside": [0, 0, 0],
    "ended before": [0, 0],
    "the calls' context": [True, True, "given", True],
    "many": [100000, -99999, 4999950000, True],
    "left behind": [0],
}


def as_wanted(output):
    import json
    import re

    seen = {}
    for line in output.splitlines():
        found = re.fullmatch(r"SEEN ([^\[]+) (\[.*\])", line)
        if found:
            if found[1] in seen:
                return False, f"{found[1]} was printed twice"
            try:
                seen[found[1]] = json.loads(found[2])
            except ValueError:
                return False, f"not JSON: {found[2][:200]}"
    wrong = [
        f"{name}: {seen.get(name)}, not {wanted}" for name, wanted in goal.items() if seen.get(name) != wanted
    ]
    return not wrong, "\n".join(wrong) or "all as wanted"


TestGoMapLimit = question >> LLMRun() >> ExtractCode(lang="go") >> GoRun(checks) >> PyFunc(as_wanted)

if __name__ == "__main__":
    print(run_test(TestGoMapLimit))
