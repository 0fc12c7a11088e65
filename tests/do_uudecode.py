from evaluator import *

DESCRIPTION = "Can the model decode uuencoded text by hand?"
TAGS = ["encoding"]

question = r"""
found this in an ancient mail archive, what does the message say? give me the exact text

begin 644 note.txt
M365E="!M92!A="!T:&4@;VQD(&QI9VAT:&]U<V4L(%1H=7)S9&%Y(#$Y.C0U
M+@I"<FEN9R`S(&QA;G1E<FYS(&%N9"!T:&4@8G)A<W,@:V5Y+"!N;W0@=&AE
&(&1O9RX*
`
end
"""

says_it = RegexEvaluator(
    r"Meet me at the old lighthouse, Thursday 19:45\.\W+Bring 3 lanterns and the brass key, not the dog\."
)

TestDoUUDecode = question >> LLMRun() >> says_it

if __name__ == "__main__":
    print(run_test(TestDoUUDecode))
