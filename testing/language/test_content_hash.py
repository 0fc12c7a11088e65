"""What a test holds, wherever its texts and files come from: code and folders are no part of it."""

from dataclasses import dataclass

import pytest

from assay import EqualEvaluator, Files, Image, LLMRun, LLMVisionRun, PyFunc, Rows, SubstringEvaluator
from assay.language.content_hash import content_hash
from assay.language.dsl import Branch, Node, Reason
from assay.language.expression_hash import expression_hash

PNG = bytes.fromhex("89504e470d0a1a0a0000000d49484452000000010000000108")
SEEN = []


@dataclass(frozen=True, repr=False)
class Own(Node):
    word: str

    async def run(self, value, ctx):
        yield Branch(value, Reason(self))


class Old(Node):
    def __init__(self, word):
        self.word, self.calls = word, 0

    async def run(self, value, ctx):
        self.calls += 1
        yield Branch(value, Reason(self))


def rows(capital):
    table = [{"country": "Peru", "capital": "Lima"}, {"country": "Italy", "capital": capital}]
    return Rows(table) >> "The capital of <country>?" >> LLMRun() >> EqualEvaluator("<capital>")


def test_only_the_edited_row_is_another():
    one, other = ([content_hash(row.test) for row in rows(capital)] for capital in ("Rome", "Roma"))
    assert one[0] == other[0] and one[1] != other[1] and len({*one, *other}) == 3


@pytest.mark.parametrize("kind", [Own, Old])
def test_nodes_of_an_authors_own_are_told_by_what_they_hold(kind):
    assert content_hash("q" >> kind("a")) == content_hash("q" >> kind("a")) != content_hash("q" >> kind("b"))


def test_what_a_function_uses_and_what_a_node_counts_may_change_in_a_run():
    def check(text):
        return text not in SEEN

    old = Old("a")
    test = "q" >> LLMRun() >> old >> PyFunc(check) >> SubstringEvaluator("a")
    before = content_hash(test)
    SEEN.append("a")
    old.calls += 1
    assert content_hash(test) == before


@pytest.mark.parametrize("of", [content_hash, expression_hash])
def test_a_pictures_bytes_count_and_its_folder_does_not(of, tmp_path):
    def hashed(folder, data):
        file = tmp_path / folder / "chart.png"
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(data)
        return of(Image(file) >> LLMVisionRun("How many bars?"))

    first = hashed("a", PNG + b"one")
    assert hashed("b", PNG + b"one") == first != hashed("a", PNG + b"two, longer")


def test_the_files_of_a_folder_count(tmp_path):
    def hashed(text):
        (tmp_path / "given" / "sub").mkdir(parents=True, exist_ok=True)
        (tmp_path / "given" / "sub" / "a.py").write_text(text)
        return content_hash(Files(tmp_path / "given") >> "Mend it" >> LLMRun())

    assert hashed("x") == hashed("x") != hashed("longer")
