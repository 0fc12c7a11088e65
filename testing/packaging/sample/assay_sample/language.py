"""The language awk, and a node that runs it."""

from dataclasses import dataclass

from assay import LanguageRun
from assay.language.languages import Language

AWK = Language(
    "main.awk", "awk -f main.awk", needs=("awk",), hello='BEGIN { print "hello" }', version="awk -W version"
)


@dataclass(frozen=True, repr=False)
class AwkRun(LanguageRun):
    """Run the incoming awk with `test_case` appended."""

    language = "awk"
