def nothing(messages):
    return ""


GAUSS_JORDAN = """```c
#include <math.h>

#define EPS 1e-9

int rref(double *m, int rows, int cols)
{
    int rank = 0;
    for (int c = 0; c < cols && rank < rows; c++) {
        int best = rank;
        for (int r = rank + 1; r < rows; r++)
            if (fabs(m[r * cols + c]) > fabs(m[best * cols + c]))
                best = r;
        if (fabs(m[best * cols + c]) < EPS) {
            for (int r = rank; r < rows; r++)
                m[r * cols + c] = 0.0;
            continue;
        }
        for (int k = 0; k < cols; k++) {
            double swap = m[best * cols + k];
            m[best * cols + k] = m[rank * cols + k];
            m[rank * cols + k] = swap;
        }
        double pivot = m[rank * cols + c];
        for (int k = c; k < cols; k++)
            m[rank * cols + k] /= pivot;
        m[rank * cols + c] = 1.0;
        for (int r = 0; r < rows; r++) {
            double factor = m[r * cols + c];
            if (r == rank)
                continue;
            for (int k = c; k < cols; k++) {
                m[r * cols + k] -= factor * m[rank * cols + k];
                if (fabs(m[r * cols + k]) < EPS)
                    m[r * cols + k] = 0.0;
            }
            m[r * cols + c] = 0.0;
        }
        rank++;
    }
    return rank;
}
```"""

RIGHT = {
    "TestCRref": [
        f"With partial pivoting, and the tolerance as a macro:\n\n{GAUSS_JORDAN}",
        # down first, then up from the last pivot; and a main nobody asked for
        """```c
#include <stdio.h>
#include <math.h>
#include <stdlib.h>

#define AT(r, c) m[(size_t)(r) * cols + (c)]

static double snap(double x) { return fabs(x) < 1e-9 ? 0.0 : x; }

int rref(double *m, int rows, int cols)
{
    int *lead = malloc(sizeof(int) * (rows + 1)), rank = 0;
    for (int i = 0; i < rows * cols; i++) m[i] = snap(m[i]);
    for (int c = 0; c < cols && rank < rows; c++) {
        int p = -1;
        double top = 0;
        for (int r = rank; r < rows; r++)
            if (fabs(AT(r, c)) > top) { top = fabs(AT(r, c)); p = r; }
        if (p < 0) continue;
        for (int k = 0; k < cols; k++) { double t = AT(p, k); AT(p, k) = AT(rank, k); AT(rank, k) = t; }
        for (int r = rank + 1; r < rows; r++) {
            double f = AT(r, c) / AT(rank, c);
            AT(r, c) = 0;
            for (int k = c + 1; k < cols; k++) AT(r, k) = snap(AT(r, k) - f * AT(rank, k));
        }
        lead[rank++] = c;
    }
    for (int i = rank - 1; i >= 0; i--) {
        int c = lead[i];
        double d = AT(i, c);
        for (int k = c; k < cols; k++) AT(i, k) = snap(AT(i, k) / d);
        AT(i, c) = 1;
        for (int r = 0; r < i; r++) {
            double f = AT(r, c);
            for (int k = c; k < cols; k++) AT(r, k) = snap(AT(r, k) - f * AT(i, k));
            AT(r, c) = 0;
        }
    }
    free(lead);
    return rank;
}

int main(void)
{
    double m[] = {1, 2, 3, 4};
    printf("%d\\n", rref(m, 2, 2));
    return 0;
}
```""",
    ]
}

WRONG = {
    "TestCRref": [
        nothing,
        GAUSS_JORDAN.replace("1e-9", "0"),  # takes what rounding left for a pivot
        # any entry that is not zero will do
        GAUSS_JORDAN.replace(
            "if (fabs(m[r * cols + c]) > fabs(m[best * cols + c]))", "if (fabs(m[best * cols + c]) == 0)"
        ).replace("1e-9", "1e-15"),
        GAUSS_JORDAN.replace("int r = 0; r < rows", "int r = rank; r < rows"),  # not reduced
        GAUSS_JORDAN.replace("return rank;", "return rows;"),
        GAUSS_JORDAN.replace(
            "if (fabs(m[r * cols + k]) < EPS)\n                    m[r * cols + k] = 0.0;", ""
        ),
        GAUSS_JORDAN.replace(
            "            continue;\n        }\n        for (int k = 0",
            "            break;\n        }\n        for (int k = 0",
        ),
        "```c\n/* reduced row echelon form, largest pivot, 1e-9 */\n"
        "int rref(double *m, int rows, int cols) { return rows < cols ? rows : cols; }\n```",
    ]
}
