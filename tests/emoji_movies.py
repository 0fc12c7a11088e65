from evaluator import *

DESCRIPTION = (
    "Can the model tell a film in emoji so that it recognises the film without having seen the question?"
)
TAGS = ["conversation", "emoji"]

question = """
For a quiz at my birthday: tell me the film "{title}" in 4 to 10 emoji. No words, letters or digits at all, not in emoji
either, just the emoji on one line.
"""

guess_prompt = """
Film quiz! Which film is this? Think about what the signs show, then give just one title, as "Film: ..." on the last line.

<A>
"""


def only_emoji(reply):
    """4 to 10 emoji (glued ones count as one), nothing that can be read as a letter or digit."""
    import unicodedata

    text = reply.strip().strip("`").strip()
    plainly = {c: unicodedata.normalize("NFKC", c) for c in text}  # a T in a circle is a T
    letters = [
        c
        for c in text
        if any(x.isalnum() for x in plainly[c])
        or 0x1F1E6 <= ord(c) <= 0x1F1FF
        or 0x1F110 <= ord(c) <= 0x1F189
    ]
    glue = [c for c in text if ord(c) in (0x200D, 0xFE0F) or 0x1F3FB <= ord(c) <= 0x1F3FF]
    glued = text.count("\u200d")
    signs = [c for c in text if ord(c) >= 0x2190 and c not in glue]
    plain = [c for c in text if c.isascii() and not c.isspace()]
    count = len(signs) - glued
    return not letters and not plain and 4 <= count <= 10, f"{count} emoji, letters {letters}, others {plain}"


def round_trip(title, pattern):
    return (
        question.format(title=title)
        >> LLMRun()
        >> (
            PyFunc(only_emoji)
            & (
                LLMRun(guess_prompt)
                >> RegexEvaluator(rf"(?m)^\W*film\W*:\W*(the )?{pattern}\b", ignore_case=True)
            )
        )
    )


TestEmojiMoviesNemo = round_trip("Finding Nemo", "finding nemo")
TestEmojiMoviesJurassic = round_trip("Jurassic Park", "jurassic park")
TestEmojiMoviesTitanic = round_trip("Titanic", "titanic")

if __name__ == "__main__":
    print(run_test(TestEmojiMoviesNemo))
    print(run_test(TestEmojiMoviesJurassic))
    print(run_test(TestEmojiMoviesTitanic))
