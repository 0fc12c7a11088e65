from evaluator import *

DESCRIPTION = "Can the model join overlapping pieces of a transcript without losing or doubling a word?"
TAGS = ["text", "format"]

question = """
I had to transcribe an interview in pieces that overlap by a few seconds. Can you put them together into one text?
At the edges of a piece a word may be cut in half, and commas and capitals differ sometimes, pick whichever. Change
nothing else, no words added or taken away, I need it word for word.

--- 1
Right, so we left the harbour at six, and the fog was so thick that you could not see the end of the pi
--- 2
could not see the end of the pier. We waited and waited and wai
--- 3
and waited for the signal. Then my sister shouted that she'd heard the bell, no, not the be
--- 4
bell no not the bell, the horn of the ferry. Nobody believed her, nobody. But she was ri
--- 5
body. But she was right. She was always right about sounds. The ferry passed us so, so clo
--- 6
The ferry passed us so, so close that I could've read the paper over the captain's
--- 7
tain's shoulder. After that we, uh, we rowed back, made tea and never told our mother.
"""

spoken = """
right so we left the harbour at six and the fog was so thick that you could not see the end of the pier we waited and
waited and waited for the signal then my sister shouted that she'd heard the bell no not the bell the horn of the ferry
nobody believed her nobody but she was right she was always right about sounds the ferry passed us so so close that i
could've read the paper over the captain's shoulder after that we uh we rowed back made tea and never told our mother
""".strip().split()


def is_word_for_word(reply):
    """The words in their order and nothing between them; what stands before and behind is prose."""
    words = re.findall(r"[a-z']*[a-z][a-z']*", reply.lower().replace("\u2019", "'"))
    starts = [at for at in range(len(words)) if words[at : at + 6] == spoken[:6]]
    found = [words[at : at + len(spoken)] for at in starts]
    if spoken in found:
        return True
    if not found:
        return False, "the text does not begin like the interview"
    same = next(
        (i for i, pair in enumerate(zip(found[-1], spoken, strict=False)) if pair[0] != pair[1]),
        len(found[-1]),
    )
    return (
        False,
        f"it differs from word {same} on: ... {' '.join(found[-1][max(0, same - 5) : same + 5])} ...",
    )


TestWhisperMerge = question >> LLMRun() >> PyFunc(is_word_for_word)

if __name__ == "__main__":
    print(run_test(TestWhisperMerge))
