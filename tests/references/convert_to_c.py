def nothing(messages):
    return ""


ARRAYS = r"""```c
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct seat {
    char *name;
    long long value;
    int used;
};

static struct seat *seats;
static size_t count, room;

static long long floor_div(long long a, long long b)
{
    long long q = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

static long long floor_mod(long long a, long long b)
{
    return a - floor_div(a, b) * b;
}

static struct seat *find(const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (seats[i].used && strcmp(seats[i].name, name) == 0)
            return &seats[i];
    return NULL;
}

static void add(const char *name, long long n)
{
    struct seat *seat = find(name);
    if (seat) {
        seat->value += n;
        return;
    }
    if (count == room) {
        room = room ? room * 2 : 64;
        seats = realloc(seats, room * sizeof *seats);
    }
    seats[count++] = (struct seat){strdup(name), n, 1}; /* a removed name comes back at the end */
}

int main(void)
{
    static char line[1 << 16];
    long long clock = 0, number = 0;
    while (fgets(line, sizeof line, stdin)) {
        static char *words[1 << 15];
        long long n = 0;
        number++;
        for (char *w = strtok(line, " \t\r\n\v\f"); w; w = strtok(NULL, " \t\r\n\v\f"))
            words[n++] = w;
        if (n == 0 || words[0][0] == '#')
            continue;
        clock = floor_mod(clock * 7 + (n - 1) - number, 97) - 48;
        for (long long i = 1; i < n; i++) {
            char *move = words[i], *p = move + 1;
            int digits = *p != 0;
            for (; *p; p++)
                digits = digits && isdigit((unsigned char)*p);
            if ((move[0] == '+' || move[0] == '-') && digits) {
                add(words[0], atoll(move));
            } else if (strcmp(move, "!") == 0) {
                struct seat *seat = find(words[0]);
                if (seat)
                    seat->used = 0;
            } else {
                clock -= (long long)strlen(move);
            }
        }
    }
    struct seat *left = malloc((count + 1) * sizeof *left);
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        if (seats[i].used)
            left[n++] = seats[i];
    for (size_t i = 1; i < n; i++) { /* insertion sort is stable */
        struct seat one = left[i];
        size_t j = i;
        for (; j > 0 && floor_div(left[j - 1].value, 10) < floor_div(one.value, 10); j--)
            left[j] = left[j - 1];
        left[j] = one;
    }
    for (size_t i = 0; i < n; i++)
        printf("%3zu %-8.8s|%6lld.%lld\n", i, left[i].name, floor_div(left[i].value, 10),
               floor_mod(left[i].value, 10));
    printf("clock %lld %lld %+lld\n", clock, floor_div(clock, 5), floor_mod(clock, -7));
    return 0;
}
```"""

RIGHT = {
    "TestConvertToC": [
        "Three things differ between the languages: python rounds // down, its dict keeps the order of insertion, "
        f"and its sort is stable.\n\n{ARRAYS}\n\nCompile it with `gcc -O2 -o seats seats.c`.",
        # a list, qsort with the age as second key, one character after the other
        r"""```c
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Node { struct Node *next; long v, q; int age; char name[2048]; } Node;
static Node *head;
static int births;

static long down(long a, long b) { long m = a % b; return (a - (m < 0 ? m + b : m)) / b; }  /* b > 0 */

static Node **seek(const char *s)
{
    Node **p = &head;
    while (*p && strcmp((*p)->name, s)) p = &(*p)->next;
    return p;
}

static int order(const void *a, const void *b)
{
    const Node *x = *(Node *const *)a, *y = *(Node *const *)b;
    if (x->q != y->q) return x->q > y->q ? -1 : 1;
    return x->age - y->age;
}

int main(void)
{
    char line[4096], who[2048], move[2048];
    long clk = 0;
    for (long no = 1; fgets(line, sizeof line, stdin); no++) {
        int at = 0, used, moves = 0;
        if (sscanf(line, "%2047s%n", who, &at) != 1 || who[0] == '#') continue;
        for (int k = at; sscanf(line + k, "%2047s%n", move, &used) == 1; k += used) moves++;
        clk = clk * 7 + moves - no;
        clk -= down(clk, 97) * 97 + 48;
        for (; sscanf(line + at, "%2047s%n", move, &used) == 1; at += used) {
            size_t len = strlen(move);
            Node **p = seek(who), *n;
            if (strchr("+-", *move) && len > 1 && strspn(move + 1, "0123456789") == len - 1) {
                if (!*p) {
                    *p = calloc(1, sizeof **p);
                    strcpy((*p)->name, who);
                    (*p)->age = births++;
                }
                (*p)->v += strtol(move, 0, 10);
            } else if (!strcmp(move, "!")) {
                if ((n = *p)) { *p = n->next; free(n); }
            } else
                clk -= len;
        }
    }
    Node *all[5000];
    int n = 0;
    for (Node *p = head; p; p = p->next) { p->q = down(p->v, 10); all[n++] = p; }
    qsort(all, n, sizeof *all, order);
    for (int i = 0; i < n; i++)
        printf("%3d %-8.8s|%6ld.%ld\n", i, all[i]->name, all[i]->q, all[i]->v - 10 * all[i]->q);
    long rest = (clk % 7 + 7) % 7;
    printf("clock %ld %ld %+ld\n", clk, down(clk, 5), rest ? rest - 7 : 0);
}
```""",
    ]
}

WRONG = {
    "TestConvertToC": [
        nothing,
        ARRAYS.replace("a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q", "q"),  # C's division
        ARRAYS.replace("< floor_div(one.value, 10)", "<= floor_div(one.value, 10)"),  # not stable
        # a removed name comes back at its old place
        ARRAYS.replace("seat->used = 0", "seat->value = 0"),
        ARRAYS.replace("int digits = *p != 0", "int digits = 1"),  # a lone + is a number
        ARRAYS.replace("%-8.8s", "%-8s"),
        ARRAYS.replace("        number++;\n", "").replace(
            "            continue;", "            continue;\n        number++;"
        ),
        "```c\n#include <stdio.h>\n/* seats, clock, sorted by -(value // 10) */\n"
        'int main(void) { puts("clock 0 0 +0"); return 0; }\n```',
    ]
}
