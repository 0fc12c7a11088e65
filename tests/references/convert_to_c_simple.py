def nothing(messages):
    return ""


CAREFUL = """```c
#include <stdlib.h>

static long floor_div(long a, long b)
{
    long q = a / b;
    return (a % b != 0 && (a < 0) != (b < 0)) ? q - 1 : q;
}

static long floor_mod(long a, long b)
{
    return a - floor_div(a, b) * b;
}

long schedule(long day, long shift)
{
    long week = floor_div(day, 7);
    long slot = floor_mod(day, shift);
    long score = 0;
    while (slot != 0) {
        score = score * 10 + labs(slot) % 10;
        slot /= 10; /* C rounds toward zero, as the python line does */
        if (score > 1000000)
            break;
    }
    return floor_mod(week, 3) != 0 ? score ^ (week & 15) : score - week;
}
```"""

RIGHT = {
    "TestConvertToCSimple": [
        f"The trap is that C divides toward zero while python rounds down:\n\n{CAREFUL}",
        """```c
long schedule(long day, long shift)
{
    long week = day / 7 - (day % 7 < 0);
    long slot = ((day % shift) + shift) % shift;
    long sign = slot < 0 ? -1 : 1, left = slot * sign, score = 0;
    while (left) {
        score = score * 10 + left % 10;
        left /= 10;
        if (score > 1000000) break;
    }
    if (week % 3)
        return score ^ (week & 15);
    return score - week;
}
```""",
    ]
}

WRONG = {
    "TestConvertToCSimple": [
        nothing,
        # word for word, so wrong below zero
        """```c
#include <stdlib.h>
long schedule(long day, long shift)
{
    long week = day / 7, slot = day % shift, score = 0;
    while (slot) {
        score = score * 10 + labs(slot) % 10;
        slot /= 10;
        if (score > 1000000) break;
    }
    return week % 3 ? score ^ (week & 15) : score - week;
}
```""",
        CAREFUL.replace("floor_div(day, 7)", "day / 7"),
        CAREFUL.replace("1000000", "10 ^ 6"),
        "```c\n/* score ^ (week & 15) */\nlong schedule(long day, long shift) { return day; }\n```",
    ]
}
