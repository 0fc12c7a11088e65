"""A node that judges."""

from dataclasses import dataclass

from assay import Block, Branch, Node, Reason
from assay.language.dsl import Branches, Context


@dataclass(frozen=True, repr=False)
class FewWords(Node):
    """True if the output has at most `most` words."""

    most: int
    is_judge = True  # its output is a verdict

    async def run(self, value: str, ctx: Context) -> Branches:
        count = len(value.split())
        passed = count <= self.most
        block = Block("verdict", "FewWords", f"{count} words of {self.most}", passed=passed)
        yield Branch(passed, Reason(self, block))
