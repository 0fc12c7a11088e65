"""Right and wrong replies to numeric_unstable."""

from __future__ import annotations

from ..numeric_unstable import formulas_of

PROGRAM = r"""
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Gauss and Legendre, 20 points */
static const double AT[10] = {
    0.076526521133497334, 0.227785851141645078, 0.373706088715419561, 0.510867001950827098, 0.636053680726515025,
    0.746331906460150793, 0.839116971822218823, 0.912234428251325906, 0.963971927277913791, 0.993128599185094925};
static const double W[10] = {
    0.152753387130725851, 0.149172986472603747, 0.142096109318382051, 0.131688638449176627, 0.118194531961518417,
    0.101930119817240435, 0.083276741576704749, 0.062672048334109064, 0.040601429800386941, 0.017614007139152118};

static double two_sum(double a, double b, double *low) {
    double s = a + b, t = s - a;
    *low = (a - (s - t)) + (b - t);
    return s;
}

/* (1 - x)^n */
static double decay(double x, double n) {
    if (fabs(x) < 1e-5) {
        double rest = x * x * (0.5 + x * (1.0 / 3 + x * (0.25 + x * 0.2)));
        double p = -n * x, low = fma(-n, x, -p);
        return exp(p) * exp(low - n * rest);
    }
    double low, s = two_sum(1, -x, &low);
    return pow(s, n) * exp(n * (low / s));
}

static double annuity(double r, double n) {
    double l = -n * log1p(r);
    if (fabs(l) < 1) return -expm1(l) / r;
    return (1 - decay(-r, -n)) / r;
}

/* the integral of exp(-(a u + u u / 2)) for u from 0 to h */
static double tail(double a, double h) {
    double width = 2 / (a + 1), total = 0, rest = 0;
    for (double u = 0; u < h && a * u + u * u / 2 < 48;) {
        double next = fmin(h, u + width), half = (next - u) / 2, middle = u + half, panel = 0, low;
        for (int k = 0; k < 10; k++)
            for (int side = -1; side < 2; side += 2) {
                double v = middle + side * half * AT[k];
                panel += W[k] * exp(-(a * v + v * v / 2));
            }
        total = two_sum(total, panel * half, &low);
        rest += low;
        u = next;
    }
    return total + rest;
}

static double chance(double a, double b) {
    if (a < 0 && b > 0) return (tail(0, b) + tail(0, -a)) * 0.39894228040143267794;
    if (a < 0) { double t = a; a = -b; b = -t; }
    double square = a * a, low = fma(a, a, -square);
    return tail(a, b - a) * (exp(-square / 2) * (1 - low / 2)) * 0.39894228040143267794;
}

static double less_sine(double x) {
    if (x > 2) return x - sin(x);
    double sum = 0;
    for (int k = 15; k >= 1; k--) sum = (1 - sum) * x * x / ((2.0 * k) * (2 * k + 1));
    return x * sum;
}

static double kepler(double e, double m) {
    double x = fmin(3.15, m / (1 - e));
    if (e > 0) x = fmin(x, cbrt(m * 10 / e));
    for (int k = 0; k < 100; k++) {
        double s = sin(x / 2), f = (1 - e) * x + e * less_sine(x) - m;
        double step = f / (1 - e + 2 * e * s * s);
        x -= step;
        if (fabs(step) < 1e-17 * x) break;
    }
    return x;
}

/* (1 + x) ln(1 + x) - x, given 1 + x too */
static double entropy(double x, double one_more) {
    if (x < -0.6 || x > 3) return one_more * log(one_more) - x;
    double sum = 0;
    for (int k = 0; k < 10; k++)
        for (int side = -1; side < 2; side += 2) {
            double s = 0.5 + side * AT[k] / 2;
            sum += W[k] / 2 * (1 - s) / (1 + x * s);
        }
    return x * x * sum;
}

static double divergence(double p, double q) {
    double d = p - q;
    return q * entropy(d / q, p / q) + (1 - q) * entropy(-d / (1 - q), (1 - p) / (1 - q));
}

static double harmonic(double n) {
    double sum = 0;
    for (; n < 30; n++) sum += log1p(1 / n) - 1 / (n + 1);
    double q = 1 / (n * n);
    return sum + (0.5 - (1.0 / 12 - q * (1.0 / 120 - q * (1.0 / 252 - q * (1.0 / 240 - q / 132)))) / n) / n;
}

static double half_sine(double a, double b) {
    double low, s = two_sum(a, b, &low);
    return sin(s / 2) + low / 2 * cos(s / 2);
}

static double cosines(double a, double b) { return -2 * half_sine(a, b) * half_sine(a, -b); }

static double gap(double x, double y) {
    if (x < y) return -gap(y, x);
    double low, d = two_sum(y, -x, &low);
    return -exp(x) * (expm1(d) + low * exp(d));
}

static double loss(double x) {
    if (x < -0.65 || x > 3) return log1p(x) - x + x * x / 2;
    double sum = 0;
    for (int k = 0; k < 10; k++)
        for (int side = -1; side < 2; side += 2) {
            double s = 0.5 + side * AT[k] / 2;
            sum += W[k] / 2 * s * s / (1 + x * s);
        }
    return x * x * x * sum;
}

static double means(double a, double b) {
    if (a < b) { double t = a; a = b; b = t; }
    double t = (a < 2 * b ? log1p((a - b) / b) : log(a / b)) / 2, root = sqrt(a) * sqrt(b);
    if (t > 3) return (a - b) / (2 * t) - root;
    double sum = 0;
    for (int k = 24; k >= 1; k--) sum = (1 + sum) * t * t / ((2.0 * k) * (2 * k + 1));
    return root * sum;
}

static double planck(double x) {
    double t = fabs(x) / 2;
    if (t > 3) return t / tanh(t) - 1;
    double term = 1, sum = 0;
    for (int k = 1; k < 30; k++) {
        term *= t * t / ((2.0 * k) * (2 * k + 1));
        sum += term * (2 * k);
    }
    return sum / (sinh(t) / t);
}

/* a b - c d, by W. Kahan */
static double products(double a, double b, double c, double d) {
    double p = c * d, low = fma(-c, d, p);
    return fma(a, b, -p) + low;
}

int main(void) {
    static char line[4096];
    while (fgets(line, sizeof line, stdin)) {
        char *word = strtok(line, " \n");
        if (!word) continue;
        double v[64] = {0}, a, b;
        int n = 0;
        for (char *t; (t = strtok(NULL, " \n")) && n < 64;) v[n++] = strtod(t, NULL);
        a = v[0]; b = v[1];
        double r = !strcmp(word, "decay") ? decay(a, b)
                 : !strcmp(word, "annuity") ? annuity(a, b)
                 : !strcmp(word, "chance") ? chance(a, b)
                 : !strcmp(word, "mills") ? tail(a, INFINITY)
                 : !strcmp(word, "kepler") ? kepler(a, b)
                 : !strcmp(word, "divergence") ? divergence(a, b)
                 : !strcmp(word, "harmonic") ? harmonic(a)
                 : !strcmp(word, "cosines") ? cosines(a, b)
                 : !strcmp(word, "gap") ? gap(a, b)
                 : !strcmp(word, "loss") ? loss(a)
                 : !strcmp(word, "means") ? means(a, b)
                 : !strcmp(word, "planck") ? planck(a)
                 : atan2(products(a, v[3], b, v[2]), a * v[2] + b * v[3]);
        printf("%.17g\n", r);
    }
    return 0;
}
"""
# the obvious form, or a remedy that is too weak, of one formula each
WEAKER = {
    "decay": (
        "static double decay(double x, double n) {",
        "static double decay(double x, double n) { return exp(n * log1p(-x));",
    ),
    "annuity": ("if (fabs(l) < 1)", "if (0)"),
    "chance": (
        "    if (a < 0) { double t = a;",
        "    if (1) return (erfc(a / sqrt(2)) - erfc(b / sqrt(2))) / 2; { double t = a;",
    ),
    "mills": ("tail(a, INFINITY)", "exp(a * a / 2) * sqrt(acos(-1) / 2) * erfc(a / sqrt(2))"),
    "kepler": ("e * less_sine(x) - m", "e * (x - sin(x)) - m"),
    "divergence": (
        "double d = p - q;",
        "double d = p - q; return p * log1p(d / q) + (1 - p) * log1p(-d / (1 - q));",
    ),
    "harmonic": ("for (; n < 30; n++)", "for (; n < 4; n++)"),
    "cosines": ("low / 2 * cos(s / 2)", "0"),
    "gap": ("if (x < y) return -gap(y, x);", "return exp(x) - exp(y);"),
    "loss": ("if (x < -0.65 || x > 3)", "if (1)"),
    "means": ("if (t > 3)", "if (1)"),
    "planck": ("if (t > 3) return", "if (1) return"),
    "turn": ("fma(a, b, -p) + low", "a * b - p"),
}


def _reply(program: str) -> str:
    return f"Each formula in a form without cancellation:\n\n```c{program}```\n"


def right(seed: int) -> list[str]:
    return [_reply(PROGRAM)]


def wrong(seed: int) -> list[str]:
    spoilt = [PROGRAM.replace(*WEAKER[name]) for name in formulas_of(seed)]
    assert all(each != PROGRAM for each in spoilt)
    return [_reply(each) for each in spoilt]
