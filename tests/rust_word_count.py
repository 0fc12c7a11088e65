from evaluator import *

DESCRIPTION = "Can the model write rust that counts words: a whole program, and a function?"
TAGS = ["code", "rust"]
DETERMINISTIC = True

question_program = """
Write me a rust program (std only) that reads the file letters.txt and prints the 5 most frequent words, one on a line
as "word count". Upper and lower case are the same word, print it in lower case. A word is a run of letters (also
accented ones); apostrophes are part of a word only between two letters, everything else separates. Among words with
the same count the alphabetically first comes first. The file is utf-8, an apostrophe is always ', and an accented letter is
one character.
"""


def make_letters():
    text = """Don't wait! The café isn't far, the sea is. 'Wait,' said Ann; 'don't WAIT-don't.'
Über the café: über, ÜBER... it's 2x the sea, the2the sea's end. Rock 'n' roll, dogs' tails; sea
"""
    with open("letters.txt", "w", encoding="utf-8") as file:
        file.write(text)


expected = "the 6\ndon't 3\nsea 3\nwait 3\nüber 3\n"

question_function = """
I need a rust function

fn count_words(text: &str) -> Vec<(String, usize)>

It splits at white space, removes the characters . , ; : ! ? ( ) and " from both ends of each word (not from inside),
ignores what is empty then, makes no difference between upper and lower case (returns lower case), and returns each
word with how often it occurs, the most frequent first, those with the same count in the order in which they first
appear in the text. Only std, no main please.
"""

main = r"""
fn main() {
    let show = |text: &str| {
        let found: Vec<String> = count_words(text).iter().map(|(word, n)| format!("{}={}", word, n)).collect();
        println!("[{}]", found.join(" "));
    };
    show("");
    show(" \n\t ");
    show("one");
    show("b a B c A b");
    show("zeta (alpha) zeta, \"ALPHA\"; beta!");
    show("3.14 e.g. ... (?!) a-b");
    show("Straße ÉTÉ été.\u{a0}x");
    let long = "word Word other ".repeat(50000);
    show(&long);
}
"""

answer = """[]
[]
[one=1]
[b=3 a=2 c=1]
[zeta=2 alpha=2 beta=1]
[3.14=1 e.g=1 a-b=1]
[été=2 straße=1 x=1]
[word=100000 other=50000]
"""

TestRustWordCount = (
    Setup(make_letters)
    >> question_program
    >> LLMRun()
    >> ExtractCode(lang="rust", keep_main=True)
    >> RustRun()
    >> SubstringEvaluator(expected)
)
TestRustWordCountFunction = (
    question_function >> LLMRun() >> ExtractCode(lang="rust") >> RustRun(main) >> SubstringEvaluator(answer)
)

if __name__ == "__main__":
    print(run_test(TestRustWordCount))
    print(run_test(TestRustWordCountFunction))
