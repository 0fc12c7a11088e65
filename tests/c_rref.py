from evaluator import *

DESCRIPTION = "Can the model write a numerically sound row reduction in C?"
TAGS = ["code", "c", "algorithm", "math"]
DETERMINISTIC = True

question = """
I need the reduced row echelon form in C for a small statistics tool:

    int rref(double *m, int rows, int cols);

m is row after row, it's changed in place, the return value is the rank. Some of my matrices made earlier attempts print
garbage because of rounding, so choose the largest pivot of the column, and what is smaller than 1e-9 in absolute value, in
the input or after a step, is to count as zero: never a pivot, and exactly 0.0 in the result. The leading entries should be exactly 1.0 and the rest of their columns
exactly 0.0, rows of zeros at the bottom. No main.
"""

extra = r"""
static int reduced(int rows, int cols, const double *m, int rank, const double *wanted) {
    double copy[200];
    memcpy(copy, m, sizeof(double) * rows * cols);
    if (rref(copy, rows, cols) != rank) return 0;
    for (int i = 0; i < rows * cols; i++) {
        if (!(fabs(copy[i] - wanted[i]) <= 1e-7 * fmax(1, fabs(wanted[i])))) return 0;
        if ((wanted[i] == 0) != (copy[i] == 0)) return 0;
    }
    for (int r = 0, last = -1; r < rank; r++) {
        int c = 0;
        while (copy[r * cols + c] == 0) c++;
        if (c <= last || copy[r * cols + c] != 1) return 0;
        for (int k = 0; k < rows; k++)
            if (k != r && copy[k * cols + c] != 0) return 0;
        last = c;
    }
    return 1;
}
#define M (double[])
"""

cases = [
    (1, 1, "{4}", 1, "{1}"),
    (1, 1, "{0}", 0, "{0}"),
    (1, 3, "{0, -2, 5}", 1, "{0, 1, -2.5}"),
    (3, 1, "{0, 3, 6}", 1, "{1, 0, 0}"),
    (2, 2, "{0, 1, 1, 0}", 2, "{1, 0, 0, 1}"),
    (2, 2, "{1, 2, 2, 4}", 1, "{1, 2, 0, 0}"),
    (3, 4, "{2, 1, -1, 8, -3, -1, 2, -11, -2, 1, 2, -3}", 3, "{1, 0, 0, 2, 0, 1, 0, 3, 0, 0, 1, -1}"),
    (3, 3, "{0, 0, 3, 0, 0, 0, 0, 5, 0}", 2, "{0, 1, 0, 0, 0, 1, 0, 0, 0}"),
    # a zero that rounding hides: 0.3 - 3 * 0.1 is not 0
    (2, 2, "{0.1, 0.2, 0.3, 0.6}", 1, "{1, 2, 0, 0}"),
    (3, 3, "{0.1, 0.7, 0.3, 0.2, 1.4, 0.6, 0.3, 2.1, 0.9}", 1, "{1, 7, 3, 0, 0, 0, 0, 0, 0}"),
    # without the largest pivot the first row swallows the second
    (2, 3, "{2e-9, 1, 1, 1, 1, 2}", 2, "{1, 0, 1, 0, 1, 1}"),
    (2, 3, "{1e-12, 1, 1, 1, 1, 2}", 2, "{1, 0, 1, 0, 1, 1}"),
    (2, 3, "{3e-9, 17000, 23000, 0.7, 1.3, 2.9}", 2, "{1, 0, 1.6302521008408704, 0, 1, 1.3529411764703005}"),
    (2, 3, "{1, 3, 0.3, 0, 1, 0.1}", 2, "{1, 0, 0, 0, 1, 0.1}"),
    (4, 2, "{1, 2, 3, 4, 5, 6, 7, 8}", 2, "{1, 0, 0, 1, 0, 0, 0, 0}"),
    (2, 5, "{1, 2, 0, 3, 4, 2, 4, 1, 7, 8}", 2, "{1, 2, 0, 3, 4, 0, 0, 1, 1, 0}"),
    (
        3,
        5,
        "{0, 0, 0, 0, 7, 0, 2, 4, 0, 7, 0, 3, 6, 1, 7}",
        3,
        "{0, 1, 2, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1}",
    ),
    (2, 3, "{1e9, 1e9, 2e9, 1, 2, 3}", 2, "{1, 0, 1, 0, 1, 1}"),
]

test_case, answer = make_c_test(
    [(f"reduced({rows}, {cols}, M{m}, {rank}, M{wanted})", 1) for rows, cols, m, rank, wanted in cases],
    extra_methods=extra,
)

TestCRref = question >> LLMRun() >> ExtractCode(lang="c") >> CRun(test_case) >> SubstringEvaluator(answer)

if __name__ == "__main__":
    print(run_test(TestCRref))
