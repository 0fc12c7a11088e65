def nothing(messages):
    return ""


COUNTER = """```c
static long mod(long a, long m) { return ((a % m) + m) % m; }

long walk(long n, long step)
{
    long i = 11, total = 0;
    const long end = n; /* range() looked at n only once */
    int broke = 0;
    for (long k = 2; step > 0 ? k < end : k > end; k += step) {
        i = k;
        total += i;
        if (mod(total, 3) == 1) {
            i += step * 4;
            n -= 2;
        }
        total += mod(i, 5);
        if (total > 4000) {
            broke = 1;
            break;
        }
    }
    if (!broke)
        total -= n;
    while (n > 0) {
        n -= 3;
        long stop = n + mod(i, 4);
        for (long k = n; k < stop; k++) {
            i = k;
            total += i;
            i += 3;
        }
    }
    return total * 10 + mod(i, 10);
}
```"""

RIGHT = {
    "TestPythonToCLoopUpdate": [
        "In python the loop takes its next value from the range, whatever the body does to `i`, so C needs a counter "
        f"of its own:\n\n{COUNTER}",
        # counts the rounds beforehand
        """```c
long walk(long n, long step)
{
    long i = 11, total = 0, rounds, r;
    rounds = step > 0 ? (n > 2 ? (n - 2 + step - 1) / step : 0)
                      : (n < 2 ? (2 - n - step - 1) / -step : 0);
    for (r = 0; r < rounds; r++) {
        i = 2 + r * step;
        total += i;
        if (total % 3 == 1 || total % 3 == -2) {
            i += step * 4;
            n -= 2;
        }
        total += i % 5 < 0 ? i % 5 + 5 : i % 5;
        if (total > 4000)
            goto second;
    }
    total -= n;
second:
    for (; n > 0;) {
        n -= 3;
        long count = i & 3;  /* two's complement: the same as python's i % 4 */
        for (r = 0; r < count; r++) {
            total += n + r;
            i = n + r + 3;
        }
    }
    return total * 10 + (i % 10 + 10) % 10;
}
```""",
    ]
}

WRONG = {
    "TestPythonToCLoopUpdate": [
        nothing,
        # the obvious translation: i and n steer the loop
        """```c
static long mod(long a, long m) { return ((a % m) + m) % m; }
long walk(long n, long step)
{
    long i, total = 0;
    for (i = 2; step > 0 ? i < n : i > n; i += step) {
        total += i;
        if (mod(total, 3) == 1) { i += step * 4; n -= 2; }
        total += mod(i, 5);
        if (total > 4000) goto out;
    }
    total -= n;
out:
    while (n > 0) {
        n -= 3;
        for (i = n; i < n + mod(i, 4); i++) { total += i; i += 3; }
    }
    return total * 10 + mod(i, 10);
}
```""",
        COUNTER.replace("k < end : k > end", "k < n : k > n"),
        COUNTER.replace("step > 0 ? k < end : k > end", "step > 0 && k < end"),
        COUNTER.replace("    if (!broke)\n", ""),
        COUNTER.replace("((a % m) + m) % m", "a % m"),
        COUNTER.replace("i = 11, ", "i = 2, "),
        COUNTER.replace("            i += 3;\n", ""),
        "```c\n/* range(2, n, step) is evaluated once, i += has no effect on the loop */\n"
        "long walk(long n, long step) { return n * step; }\n```",
    ]
}
