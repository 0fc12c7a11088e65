def reply(code):
    return f"Here it is:\n\n```go\n{code}```\n"


WORKERS = """package parallel

import (
	"context"
	"sync"
)

func MapLimit[T, R any](ctx context.Context, limit int, items []T, f func(context.Context, T) (R, error)) ([]R, error) {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	results := make([]R, len(items))
	var mutex sync.Mutex
	var first error
	next, done := 0, 0
	take := func() int {
		mutex.Lock()
		defer mutex.Unlock()
		if first != nil || next == len(items) {
			return -1
		}
		if first = ctx.Err(); first != nil {
			return -1
		}
		next++
		return next - 1
	}
	var group sync.WaitGroup
	for range min(limit, len(items)) {
		group.Add(1)
		go func() {
			defer group.Done()
			for at := take(); at >= 0; at = take() {
				result, err := f(inner, items[at])
				mutex.Lock()
				if err != nil && first == nil {
					first = err
					cancel()
				}
				results[at] = result
				done++
				mutex.Unlock()
			}
		}()
	}
	group.Wait()
	if first == nil && done < len(items) {
		first = ctx.Err()
	}
	if first != nil {
		return nil, first
	}
	return results, nil
}
"""

# A goroutine for each call; the loop looks once more after it has got its turn. It returns to a main of its own.
SEMAPHORE = """package main

import (
	"context"
	"fmt"
	"sync"
)

func MapLimit[T, R any](ctx context.Context, limit int, items []T, f func(context.Context, T) (R, error)) ([]R, error) {
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	results := make([]R, len(items))
	turns := make(chan struct{}, limit)
	var group sync.WaitGroup
	defer group.Wait()
	for at, item := range items {
		turns <- struct{}{}
		if inner.Err() != nil {
			break
		}
		group.Add(1)
		go func() {
			defer group.Done()
			defer func() { <-turns }()
			result, err := f(inner, item)
			if err != nil {
				cancel(err) // only the first counts
			}
			results[at] = result
		}()
	}
	group.Wait()
	if inner.Err() != nil {
		return nil, context.Cause(inner)
	}
	return results, nil
}

func main() {
	fmt.Println(MapLimit(context.Background(), 2, []int{1, 2, 3}, func(_ context.Context, n int) (int, error) { return n, nil }))
}
"""

RIGHT = {"TestGoMapLimit": [[reply(WORKERS)], [reply(SEMAPHORE)]]}


def broken(code, *changes):
    for old, new in changes:
        assert code.count(old) == 1, old
        code = code.replace(old, new)
    return [reply(code)]


SELECT = """		stop := false
		select {
		case turns <- struct{}{}:
		case <-inner.Done():
			stop = true
		}
		if stop {
			break
		}
"""
NOT_WAITING = """	ended := make(chan struct{})
	go func() { group.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-inner.Done():
	}
"""
BY_PLACE = """	group.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
"""
LOOK = "		turns <- struct{}{}\n		if inner.Err() != nil {\n			break\n		}\n"

WRONG = {
    "TestGoMapLimit": [
        # a select between two that are ready takes either: sometimes a call begins after the failure
        broken(SEMAPHORE, (LOOK, SELECT)),
        # does not wait for the calls that run
        broken(
            SEMAPHORE,
            ("	defer group.Wait()\n", ""),
            ("	group.Wait()\n	if inner", NOT_WAITING + "	if inner"),
        ),
        # the first error by its place, not by time
        broken(
            WORKERS,
            ("	var first error\n", "	var first error\n	errs := make([]error, len(items))\n"),
            ("results[at] = result", "results[at], errs[at] = result, err"),
            ("	group.Wait()\n", BY_PLACE),
        ),
        # the calls go on after a failure: nobody cancels
        broken(WORKERS, ("					cancel()\n", "")),
        # nobody looks whether ctx has ended
        broken(
            WORKERS, ("		if first = ctx.Err(); first != nil {\n			return -1\n		}\n", "")
        ),
        # the caller's context, which nobody ends
        broken(
            WORKERS,
            ("f(inner, items[at])", "f(ctx, items[at])"),
            ("	defer cancel()\n", "	defer cancel()\n	_ = inner\n"),
        ),
        # one too many
        broken(SEMAPHORE, ("make(chan struct{}, limit)", "make(chan struct{}, limit+1)")),
        # in the order in which they end
        broken(
            WORKERS,
            ("make([]R, len(items))", "[]R{}"),
            ("results[at] = result", "results = append(results, result)"),
        ),
        # names that the checks use, taken by the program
        broken(
            SEMAPHORE,
            ("func main() {", "func min(...int) int { return 0 }\n\nfunc any() {}\n\nfunc main() {"),
        ),
        # a program that prints lines like those of the checks
        broken(
            SEMAPHORE,
            ("func main() {", "func init() { fmt.Println(`SEEN left behind [0]`) }\n\nfunc main() {"),
            ("limit)\n	var", "limit+1)\n	var"),
        ),
    ]
}
