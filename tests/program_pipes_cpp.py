from evaluator import *

DESCRIPTION = "Can the model design a lazy pipeline library in C++ from examples of its use?"
TAGS = ["code", "c++", "design"]
DETERMINISTIC = True

question = """
For readings from our sensors I'd like to write data flows in C++20 like this:

    auto flow = from(1) | map([](int n) { return n * n; }) | keep([](int n) { return n % 2; }) | take(3);
    std::vector<int> v = flow.collect();                     // 1 9 25

    std::vector<std::string> names{"ann", "bo", "cy"};
    auto lengths = each(names) | map([](const std::string& s) { return s.size(); });
    size_t total = lengths.fold(size_t{0}, [](size_t a, size_t b) { return a + b; });    // 7

    auto gaps = each(std::vector{3, 7, 12}) | pairs() | map([](auto p) { return p.second - p.first; });  // 4 5

from(k) counts up from int k without end, each(vector) goes through a copy of the vector, map, keep (a filter),
take(n), skip(n), pairs() (each element with the one after it, as std::pair). It must be lazy: nothing is computed
before collect or fold, and never more elements than needed, so take(3) must not ask its source for a fourth. A flow
can be collected several times, always from the start. Use only the standard library, not std::ranges, put everything
in the global namespace. I don't need a main, just the code with its includes.
"""

test_case = r"""
#include <cstdio>
#include <string>
#include <vector>

static void show(const char* name, const std::vector<int>& v) {
    std::printf("%s:", name);
    for (int n : v) std::printf(" %d", n);
    std::printf("\n");
}

int main() {
    auto flow = from(1) | map([](int n) { return n * n; }) | keep([](int n) { return n % 2; }) | take(3);
    show("odd squares", flow.collect());
    show("again", flow.collect());

    std::vector<std::string> names{"ann", "bo", "cy"};
    auto lengths = each(names) | map([](const std::string& s) { return s.size(); });
    names[0] = "changed later";
    std::size_t total = lengths.fold(std::size_t{0}, [](std::size_t a, std::size_t b) { return a + b; });
    std::printf("total: %d\n", (int)total);

    auto gaps = each(std::vector{3, 7, 12}) | pairs() | map([](auto p) { return p.second - p.first; });
    show("gaps", gaps.collect());
    show("no pair", (each(std::vector{5}) | pairs() | map([](auto p) { return p.first; })).collect());
    show("empty", (each(std::vector<int>{}) | map([](int n) { return n; }) | take(2)).collect());
    show("skip", (from(10) | skip(2) | take(2)).collect());
    show("skip all", (each(std::vector{1, 2}) | skip(5)).collect());
    show("take none", (from(0) | take(0)).collect());
    show("short", (each(std::vector{1, 2}) | take(5)).collect());

    int asked = 0;
    auto counted = from(0) | map([&asked](int n) { asked++; return n; }) | take(3);
    std::printf("before: %d\n", asked);
    counted.collect();
    std::printf("after: %d\n", asked);

    auto text = from(1) | take(4) | map([](int n) { return std::to_string(n); });
    std::printf("text: %s\n", text.fold(std::string("0"), [](std::string a, std::string b) { return a + b; }).c_str());
}
"""

answer = """odd squares: 1 9 25
again: 1 9 25
total: 7
gaps: 4 5
no pair:
empty:
skip: 12 13
skip all:
take none:
short: 1 2
before: 0
after: 3
text: 01234
"""

TestProgramPipesCpp = (
    question >> LLMRun() >> ExtractCode(lang="cpp") >> CppRun(test_case) >> SubstringEvaluator(answer)
)

if __name__ == "__main__":
    print(run_test(TestProgramPipesCpp))
