from evaluator import *

DESCRIPTION = "Can the model tell exactly what minified javascript returns, its odd cases included?"
TAGS = ["javascript", "explain", "math"]
DETERMINISTIC = True

question = """
this is all that's left of an old page of mine, minified. what did g do? and what exactly do g(1400), g(98) and g(1) return?
please put the three strings on the last line as a json list, like ["...", "...", "..."]

g=n=>{let o=[],d=2,k;for(;d*d<=n;d++){for(k=0;n%d==0;n/=d)k++;k&&o.push(k>1?d+"^"+k:d)}return n>1?o.concat("("+n+")").join("."):o.join(".")||"1"}
"""


def last_list(reply):
    """The last JSON list of strings in the reply."""
    found = re.findall(r'\[\s*"[^\]]*\]', reply)
    return json.loads(found[-1]) if found else []


TestExplainCodePrime2 = (
    question
    >> LLMRun()
    >> (
        RegexEvaluator(r"prime|factori", ignore_case=True)
        & (PyFunc(last_list) >> EqualEvaluator(["2^3.5^2.(7)", "2.7^2", "1"]))
    )
)

if __name__ == "__main__":
    print(run_test(TestExplainCodePrime2))
