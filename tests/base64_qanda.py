from evaluator import *

DESCRIPTION = "Can the model hold a conversation in which both sides write nothing but base64?"
TAGS = ["format", "encoding", "conversation"]

# "Which river flows through the middle of Paris? Answer with one short sentence."
first = """
Let's write to each other in base64 from now on: I encode what I ask, you encode what you answer, and
nobody writes a word of plain text. I'll start:

V2hpY2ggcml2ZXIgZmxvd3MgdGhyb3VnaCB0aGUgbWlkZGxlIG9mIFBhcmlzPyBBbnN3ZXIgd2l0aCBvbmUgc2hvcnQgc2VudGVuY2Uu
"""

# "And how many letters does its name have?"
second = "QW5kIGhvdyBtYW55IGxldHRlcnMgZG9lcyBpdHMgbmFtZSBoYXZlPw=="


def decodes_to(pattern):
    def check(reply):
        import base64

        text = re.sub(r"```\w*\n|[`\s]", "", reply)  # a fence and line breaks do no harm
        try:
            plain = base64.b64decode(text, validate=True).decode()
        except ValueError as error:
            return False, f"not base64: {error}"
        return re.search(pattern, plain, re.IGNORECASE) is not None, f"it says: {plain}"

    return check


TestBase64QandA = (first >> LLMConversation() >> PyFunc(decodes_to(r"\bseine\b"))) & (
    second >> LLMConversation() >> PyFunc(decodes_to(r"\b(5|five)\b"))
)

if __name__ == "__main__":
    print(run_test(TestBase64QandA))
