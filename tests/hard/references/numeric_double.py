"""Right and wrong replies to numeric_double."""

from __future__ import annotations

PROGRAM = r"""
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double two_sum(double a, double b, double *low) {
    double s = a + b, t = s - a;
    *low = (a - (s - t)) + (b - t);
    return s;
}

static double cube(double x) {
    if (fabs(x) < 2) {
        double sum = 0, fact = 1;
        double inverse[32];
        for (int k = 1; k <= 31; k++) { fact *= k; inverse[k] = 1 / fact; }
        for (int k = 31; k >= 3; k--) sum = sum * x + inverse[k];
        return sum;
    }
    return (expm1(x) - x - x * x / 2) / (x * x * x);
}

static double versine(double x) {
    double s = sin(x / 2);
    return 2 * s * s;
}

static double logabs(double a, double b) {
    double m = fmax(fabs(a), fabs(b));
    if (m < 0.5 || m > 2) return log(hypot(a, b));
    double p = a * a, q = b * b, e1, e2;
    double pl = fma(a, a, -p), ql = fma(b, b, -q);
    double s = two_sum(fmax(p, q), -1, &e1);
    s = two_sum(s, fmin(p, q), &e2);
    return 0.5 * log1p(s + (e1 + e2 + pl + ql));
}

static double area(double a, double b, double c) {
    double t;
    if (a < b) { t = a; a = b; b = t; }
    if (b < c) { t = b; b = c; c = t; }
    if (a < b) { t = a; a = b; b = t; }
    return sqrt((a + (b + c)) * (c - (a - b)) * (c + (a - b)) * (a + (b - c))) / 4;
}

static void roots(double a, double b, double c) {
    double p = b * b, q = 4 * a * c, d = p - q;
    if (3 * fabs(d) < p + q) d += fma(b, b, -p) - fma(4 * a, c, -q);
    double h = -(b + copysign(sqrt(d), b)) / 2;
    double x = h / a, y = c / h;
    printf("%.17g %.17g\n", fmin(x, y), fmax(x, y));
}

static double sinpi(double x) {
    double r = fmod(x, 2);
    if (r > 1) r -= 2;
    if (r < -1) r += 2;
    if (r > 0.5) r = 1 - r;
    if (r < -0.5) r = -1 - r;
    return sin(3.14159265358979323846 * r);
}

static double power(double x, double y) { return expm1(y * log1p(x - 1)); }

static double between(double a, double b) {
    double d = fma(a, b, 1);
    return a == b ? 0 : a > b ? atan2(a - b, d) : -atan2(b - a, d);
}

static double dot(double *v, int n) {
    double s = 0, c = 0;
    for (int i = 0; i < n; i++) {
        double p = v[2 * i] * v[2 * i + 1], e = fma(v[2 * i], v[2 * i + 1], -p), f;
        s = two_sum(s, p, &f);
        c += e + f;
    }
    return s + c;
}

int main(void) {
    static char line[4096];
    while (fgets(line, sizeof line, stdin)) {
        char *word = strtok(line, " \n");
        if (!word) continue;
        double v[64];
        int n = 0;
        for (char *t; (t = strtok(NULL, " \n")) && n < 64;) v[n++] = strtod(t, NULL);
        if (!strcmp(word, "roots")) { roots(v[0], v[1], v[2]); continue; }
        double r = !strcmp(word, "cube") ? cube(v[0])
                 : !strcmp(word, "versine") ? versine(v[0])
                 : !strcmp(word, "logabs") ? logabs(v[0], v[1])
                 : !strcmp(word, "area") ? area(v[0], v[1], v[2])
                 : !strcmp(word, "sinpi") ? sinpi(v[0])
                 : !strcmp(word, "power") ? power(v[0], v[1])
                 : !strcmp(word, "between") ? between(v[0], v[1]) : dot(v + 1, (int)v[0]);
        printf("%.17g\n", r);
    }
    return 0;
}
"""
# the obvious form, or a remedy that is too weak, of one formula each
WEAKER = {
    "if (fabs(x) < 2) {": "if (fabs(x) < 1e-5) {",
    "return 2 * s * s;": "return 1 - cos(x);",
    "if (m < 0.5 || m > 2) return": "return",
    "double pl = fma(a, a, -p), ql = fma(b, b, -q);": "double pl = 0, ql = 0;",
    "c - (a - b)": "b + c - a",
    "if (3 * fabs(d) < p + q) d +=": "if (0) d +=",
    "double x = h / a, y = c / h;": "double x = (-b + sqrt(d)) / (2 * a), y = (-b - sqrt(d)) / (2 * a);",
    "double r = fmod(x, 2);": "return sin(3.14159265358979323846 * x); double r = 0;",
    "return expm1(y * log1p(x - 1));": "return pow(x, y) - 1;",
    "return a == b ? 0 : a > b ?": "return 1 ? atan(a) - atan(b) : 0 ?",
    "c += e + f;": "c += f;",
}


def _reply(program: str) -> str:
    return f"Each formula in a form without cancellation:\n\n```c{program}```\n"


def right(seed: int) -> list[str]:
    return [_reply(PROGRAM)]


def wrong(seed: int) -> list[str]:
    spoilt = [PROGRAM.replace(old, new) for old, new in WEAKER.items()]
    assert all(each != PROGRAM for each in spoilt)
    return [_reply(each) for each in spoilt]
