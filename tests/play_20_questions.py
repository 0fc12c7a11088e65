from evaluator import *

DESCRIPTION = "Can the model find a secret thing by yes-or-no questions that another model answers?"
TAGS = ["conversation", "game"]

question = """
Let's play: I think of a thing and you have to find it with yes/no questions, at most 20, one a message. {hint} I answer
yes, no, or sometimes. When you are sure write "My guess: ..." with the thing - you have only this one guess. Your first
question?
"""

answer_prompt = """
You are the one who answers in a game of twenty questions. The secret thing is: {secret}. {facts}
Answer the player's question truthfully with just one word: yes, no, or sometimes. If it is not a yes-or-no question,
answer: "please ask a yes-or-no question". A question that names a thing, also as an example, is
answered like any other. Never say what the secret is.

The player says: <A>
"""

guess = r"my guess\W{0,3}:(?!\W*\.\.\.)"  # not where it only repeats the rules


def game(secret, facts, hint, accepted):
    """The player asks, the judge's model answers, until there is a guess."""
    answers = LLMRun(answer_prompt.format(secret=secret, facts=facts), llm=EVAL_LLM)
    return (
        question.format(hint=hint)
        >> LLMConversation()
        >> UntilDone(RegexEvaluator(guess, ignore_case=True), answers >> LLMConversation(), max_iters=20)
        >> RegexEvaluator(
            rf"{guess}\W*(?:(?:is|it'?s|an?|the)\W+)*{accepted}\b(?!.*\bor\b)", ignore_case=True
        )
    )


TestPlay20QuestionsAnimal = game(
    "an octopus",
    "It lives in the sea, has eight arms, which people also call tentacles, no bones, and is clever.",
    "It's an animal.",
    r"octop(us|uses|i|odes)",
)
TestPlay20QuestionsThing = game(
    "a bicycle",
    "It has two wheels, no engine or motor (electric ones do not count), is ridden by one person as a rule, outdoors.",
    "It's something that people made, and you'd find one in most streets.",
    "(bicycles?|bikes?|push ?bike)",
)

if __name__ == "__main__":
    print(run_test(TestPlay20QuestionsAnimal))
    print(run_test(TestPlay20QuestionsThing))
