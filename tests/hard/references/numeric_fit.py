"""Right and wrong replies to numeric_fit. The right program finds the determinants of Cramer's rule modulo many primes
and puts them together (Garner's mixed radix); s is the determinant of the sums bordered by those of y, over theirs."""

from __future__ import annotations

PROGRAM = r"""
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PRIMES 130
#define LIMBS (PRIMES + 2)

static uint64_t prime[PRIMES];

static int is_prime(uint64_t n) {
    for (uint64_t k = 3; k * k <= n; k += 2)
        if (n % k == 0) return 0;
    return 1;
}

static uint64_t power(uint64_t base, uint64_t times, uint64_t p) {
    uint64_t result = 1;
    for (; times; times >>= 1, base = base * base % p)
        if (times & 1) result = result * base % p;
    return result;
}

static uint64_t determinant(int size, uint64_t m[7][7], uint64_t p) {
    uint64_t result = 1;
    for (int at = 0; at < size; at++) {
        int pivot = at;
        while (pivot < size && !m[pivot][at]) pivot++;
        if (pivot == size) return 0;
        if (pivot != at) {
            for (int k = 0; k < size; k++) { uint64_t t = m[at][k]; m[at][k] = m[pivot][k]; m[pivot][k] = t; }
            result = (p - result) % p;
        }
        result = result * m[at][at] % p;
        uint64_t inverse = power(m[at][at], p - 2, p);
        for (int row = at + 1; row < size; row++) {
            uint64_t factor = m[row][at] * inverse % p;
            if (!factor) continue;
            for (int k = at; k < size; k++) m[row][k] = (m[row][k] + (p - factor) * m[at][k]) % p;
        }
    }
    return result;
}

/* the number with these remainders, in the middle range around 0: sign, leading bits and the power of two */
static double whole(const uint64_t *rest, long *two) {
    static uint64_t digit[PRIMES];
    static uint32_t sum[LIMBS], product[LIMBS];
    for (int i = 0; i < PRIMES; i++) {
        uint64_t p = prime[i], value = 0, radix = 1;
        for (int j = 0; j < i; j++) {
            value = (value + digit[j] % p * radix) % p;
            radix = radix * (prime[j] % p) % p;
        }
        digit[i] = (rest[i] + p - value) % p * power(radix, p - 2, p) % p;
    }
    /* Horner from the last digit; beside it, the product of all primes */
    memset(sum, 0, sizeof sum);
    memset(product, 0, sizeof product);
    product[0] = 1;
    for (int i = PRIMES - 1; i >= 0; i--) {
        uint64_t carry = digit[i];
        for (int k = 0; k < LIMBS; k++) { uint64_t t = sum[k] * prime[i] + carry; sum[k] = (uint32_t)t; carry = t >> 32; }
        carry = 0;
        for (int k = 0; k < LIMBS; k++) { uint64_t t = product[k] * prime[i] + carry; product[k] = (uint32_t)t; carry = t >> 32; }
    }
    /* negative if it is beyond the half */
    int64_t borrow = 0;
    static uint32_t less[LIMBS];
    for (int k = 0; k < LIMBS; k++) {
        int64_t t = (int64_t)product[k] - sum[k] + borrow;
        less[k] = (uint32_t)t;
        borrow = t >> 32;
    }
    int negative = 0;
    for (int k = LIMBS - 1; k >= 0; k--)
        if (sum[k] != less[k]) { negative = sum[k] > less[k]; break; }
    const uint32_t *size = negative ? less : sum;
    int top = LIMBS - 1;
    while (top > 0 && !size[top]) top--;
    double value = 0;
    for (int k = top; k >= 0 && k > top - 4; k--) value += ldexp((double)size[k], 32 * (k - top));
    *two = 32L * top;
    return negative ? -value : value;
}

int main(void) {
    int found = 0;
    for (uint64_t n = PRIME_BELOW; found < PRIMES; n -= 2)
        if (is_prime(n)) prime[found++] = n;
    int d, n;
    static long long x[64], y[64];
    static uint64_t rest[8][PRIMES];
    while (scanf("%d %d", &d, &n) == 2) {
        for (int i = 0; i < n; i++)
            if (scanf("%lld %lld", &x[i], &y[i]) != 2) return 1;
        for (int i = 0; i < PRIMES; i++) {
            uint64_t p = prime[i], sums[12] = {0}, right[7] = {0}, square = 0, m[7][7];
            for (int k = 0; k < n; k++) {
                uint64_t a = (uint64_t)((x[k] % (long long)p + (long long)p) % (long long)p);
                uint64_t b = (uint64_t)((y[k] % (long long)p + (long long)p) % (long long)p), up = 1;
                for (int j = 0; j <= 2 * d; j++) {
                    sums[j] = (sums[j] + up) % p;
                    if (j <= d) right[j] = (right[j] + up * b) % p;
                    up = up * a % p;
                }
                square = (square + b * b) % p;
            }
            for (int which = 0; which <= d + 2; which++) {
                int size = d + 1 + (which == d + 2);
                for (int r = 0; r <= d; r++)
                    for (int c = 0; c <= d; c++) m[r][c] = c == which - 1 ? right[r] : sums[r + c];
                if (which == d + 2) {
                    for (int r = 0; r <= d; r++) m[r][d + 1] = m[d + 1][r] = right[r];
                    for (int r = 0; r <= d; r++)
                        for (int c = 0; c <= d; c++) m[r][c] = sums[r + c];
                    m[d + 1][d + 1] = square;
                }
                rest[which][i] = determinant(size, m, p);
            }
        }
        long below;
        double under = whole(rest[0], &below);
        for (int which = 1; which <= d + 2; which++) {
            long above;
            double over = whole(rest[which], &above);
            printf("%.17g%c", ldexp(over / under, (int)(above - below)), which == d + 2 ? '\n' : ' ');
        }
    }
    return 0;
}
"""
PLAIN = r"""
#include <math.h>
#include <stdio.h>
int main(void) {
    int d, n;
    static double x[64], y[64];
    while (scanf("%d %d", &d, &n) == 2) {
        double middle = 0, wide = 0;
        for (int i = 0; i < n; i++) { scanf("%lf %lf", &x[i], &y[i]); middle += x[i] / n; }
        if (!CENTRED) middle = 0;
        for (int i = 0; i < n; i++) wide = fmax(wide, fabs(x[i] - middle));
        if (!CENTRED || wide == 0) wide = 1;
        double m[8][9] = {{0}}, c[8] = {0}, a[8] = {0}, s = 0;
        for (int i = 0; i < n; i++) {
            double t = (x[i] - middle) / wide, up[12] = {1};
            for (int k = 1; k <= 2 * d; k++) up[k] = up[k - 1] * t;
            for (int r = 0; r <= d; r++) {
                for (int k = 0; k <= d; k++) m[r][k] += up[r + k];
                m[r][d + 1] += up[r] * y[i];
            }
        }
        for (int at = 0; at <= d; at++) {
            int pivot = at;
            for (int r = at; r <= d; r++) if (fabs(m[r][at]) > fabs(m[pivot][at])) pivot = r;
            for (int k = 0; k <= d + 1; k++) { double t = m[at][k]; m[at][k] = m[pivot][k]; m[pivot][k] = t; }
            for (int r = 0; r <= d; r++) {
                if (r == at) continue;
                double f = m[r][at] / m[at][at];
                for (int k = at; k <= d + 1; k++) m[r][k] -= f * m[at][k];
            }
        }
        for (int k = 0; k <= d; k++) c[k] = m[k][d + 1] / m[k][k];
        for (int i = 0; i < n; i++) {
            double t = (x[i] - middle) / wide, p = 0;
            for (int k = d; k >= 0; k--) p = p * t + c[k];
            s += (y[i] - p) * (y[i] - p);
        }
        for (int k = d; k >= 0; k--) { /* times (x - middle) / wide, plus c[k] */
            for (int j = d; j >= 1; j--) a[j] = (a[j - 1] - middle * a[j]) / wide;
            a[0] = -middle * a[0] / wide + c[k];
        }
        for (int k = 0; k <= d; k++) printf("%.17g ", a[k]);
        printf("%.17g\n", s);
    }
    return 0;
}
"""


def _reply(code: str) -> str:
    return f"Exact, modulo many primes:\n\n```c\n{code.strip()}\n```"


def right(seed: int) -> list[str]:
    return [_reply(PROGRAM.replace("PRIME_BELOW", "2147483647"))]


def wrong(seed: int) -> list[str]:
    exact = right(seed)[0]
    return [
        _reply(PLAIN.replace("CENTRED", "0")),
        _reply(PLAIN.replace("CENTRED", "1")),
        exact.replace("#define PRIMES 130", "#define PRIMES 16"),  # too few for the largest
        exact.replace("negative = sum[k] > less[k]", "negative = 0"),
        exact.replace("m[d + 1][d + 1] = square", "m[d + 1][d + 1] = square + 1"),
    ]
