from evaluator import *

DESCRIPTION = "Can the model say what minified javascript computes, in the words of mathematics?"
TAGS = ["javascript", "explain", "math"]

question = """
found this in a minified bundle, what does z(n) give? explain in a sentence or two what it is, not how it works line by
line, and end with the value of z(20) as a json list on a line of its own

q=(n,s=[])=>{for(let i=2;i<=n;++i)s.every(d=>i%d)&&s.push(i);return s},z=n=>q(n).filter((e,i,a)=>a.includes(e+2)).map(e=>e*(e+2))
"""

judge = """
Somebody asked what this javascript function z computes:

q=(n,s=[])=>{for(let i=2;i<=n;++i)s.every(d=>i%d)&&s.push(i);return s},z=n=>q(n).filter((e,i,a)=>a.includes(e+2)).map(e=>e*(e+2))

The truth: q(n) lists the primes up to n, and z(n) lists the products p * (p + 2) of all pairs of twin primes p, p + 2 that are
both at most n. z(20) is [15, 35, 143, 323].

Does the answer below say that, in whatever words, without a false statement about what comes out? It must say that both are
primes and that the products are listed; a list of numbers without such words is not enough. The value of z(20) may stand
at the end without a label.
"""


def last_list(reply):
    """The numbers of the reply's last list."""
    found = re.findall(r"\[[\d\s,]*\]", reply)
    return [int(number) for number in re.findall(r"\d+", found[-1])] if found else []


TestExplainCodePrime = (
    question
    >> LLMRun()
    >> (
        RegexEvaluator(r"prime", ignore_case=True)
        & (PyFunc(last_list) >> EqualEvaluator([15, 35, 143, 323]))
        & Judge(judge)
    )
)

if __name__ == "__main__":
    print(run_test(TestExplainCodePrime))
