from evaluator import *

DESCRIPTION = "Can the model evaluate, and explain, C expressions that are legal but strange?"
TAGS = ["c", "explain"]

question_value = r"""
without running it: what does this print? work it out and write just the number as the last line of your answer

#include <stdio.h>
int main(void) {
    int a[] = {4, 9, 2, 7};
    int x = 1[a] - ~a[2], y = !!a[3] << 3 & 12;
    printf("%d\n", x * 10 + y % (int)sizeof "ab" + (x, y - 8)["wxyz"] % 10);
    return 0;
}
"""

question_explain = """
I found this in an old codec, n is an unsigned int. what is it for, when is it true, and is there a case to watch out
for? short answer please

if (n && !(n & n - 1)) grow();
"""

judge = """
A programmer asked about the C condition `n && !(n & n - 1)` for an unsigned n. The truth: it is true exactly if n is a
power of two (1 counts as one); `-` binds tighter than `&`, so it is n & (n - 1); and the leading `n &&` is there because
0 would pass otherwise.

Does the answer below say that it tests for a power of two, and that 0 is the special case that is ruled out, without
claiming anything false about the expression? Guesses about the code around it, which is not shown, do not count against
it, nor does advice on style.
"""

TestCWeirdExpression = question_value >> LLMRun() >> RegexEvaluator(r"(^|[^\d.-])131[$*`.})\]\\\s]*$")
TestCWeirdExpressionExplain = (
    question_explain
    >> LLMRun()
    >> (
        (
            RegexEvaluator(r"powers?[ -]of[ -]\W*(two|2)", ignore_case=True)
            | RegexEvaluator(r"2\s*(\^|\*\*)|(single|one) (set )?bit")
        )
        & Judge(judge)
    )
)

if __name__ == "__main__":
    print(run_test(TestCWeirdExpression))
    print(run_test(TestCWeirdExpressionExplain))
