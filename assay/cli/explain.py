"""assay explain: the tree of a test: which model is asked, what runs where; nothing is run."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.cli.request import selection_of
from assay.errors import ConfigError, TestFileError
from assay.home import typed
from assay.records import TrialKey
from assay.report.messages import say
from assay.report.sanitise import one_line, visible
from assay.report.tree import Step, tree, unreached
from assay.running.wiring import references_finder
from assay.stdout import columns, print_json, stdout
from assay.suites.choice import choose
from assay.suites.loading import load_tests
from assay.suites.sample import Sample
from assay.suites.selected import Selected
from assay.suites.selection import APPLIED, Selection
from assay.suites.suite import Suite
from assay.suites.tree_warnings import told
from assay.turns import Script

if TYPE_CHECKING:
    from rich.tree import Tree

References = Callable[[TrialKey, bool], Sequence[Any]]
MOST = 50  # tests in one go


@dataclass(frozen=True)
class Explained:
    """A test and its facts."""

    sample: Sample
    place: str
    facts: list[tuple[str, str]]
    steps: list[Step]
    warnings: list[str]


def command(options: argparse.Namespace, root: Path) -> int:
    """Print the trees of the tests named. Raises ConfigError if there are none, or very many."""
    explained, errors = [], list[str]()
    selection, references = selection_of(options, root), references_finder(root)
    for name, suite in selection.suites_in(errors):
        samples, lines, wrong = _applied(selection) if suite is None else _of_suite(suite, selection)
        errors += wrong
        chosen = Selected(suites={name: suite} if suite else {})
        replies = partial(references, hook=chosen.references)
        explained += [_explained(each, lines.get(each.id, 0), replies) for each in samples[:MOST]]
    for error in errors:
        say(f"error: {error}")
    if not explained and not errors:
        raise ConfigError(f"there is no test named {options.cli_words[0]!r}; {typed()} list shows them all")
    if len(explained) >= MOST:
        say(f"the first {MOST} are shown; name fewer to see the others")
    show(explained, options.format)
    return 1 if errors else 0


def _applied(selection: Selection) -> tuple[list[Sample], dict[str, int], list[str]]:
    choice = choose(selection, None)
    wanted, root = selection.wants, selection.root
    loaded = load_tests(choice.files, root=root, wanted=lambda listed: wanted(listed.id, listed.tags))
    lines = {test.id: test.line for file in choice.files for test in file.tests}
    samples = list(loaded.every())
    return samples, lines, [*choice.errors, *loaded.errors]


def _of_suite(suite: Suite, selection: Selection) -> tuple[list[Sample], dict[str, int], list[str]]:
    from itertools import islice

    return list(islice(selection.samples_of(suite), MOST)), {}, []


def _explained(sample: Sample, line: int, references: References) -> Explained:
    steps, warnings = tree(sample.test), [text for _, text in told(sample.test)]
    facts = [("about", sample.description), ("tags", ", ".join(sample.tags))]
    facts.append(("requires", ", ".join(sample.requires)))
    facts.append(("deterministic", "yes: sandbox steps are cached" if sample.deterministic else ""))
    right: Sequence[Any] = ()
    try:
        key = TrialKey(sample.id, 1, sample.suite, sample.source)
        right, wrong = references(key, True), references(key, False)
        facts.append(("references", f"{len(right)} right, {len(wrong)} wrong"))
        if not right and sample.suite == APPLIED:
            warnings.append("the oracle cannot run it: there is no right reference")
    except TestFileError as error:
        warnings.append(str(error))
    if right:
        unreached(steps, most_replies(right))
    place = f"{sample.source}:{line}" if line else sample.source
    return Explained(sample, place, [each for each in facts if each[1]], steps, warnings)


def most_replies(variants: Sequence[Any]) -> int | None:
    """The number of calls that the longest reference answers; None if one is a function, or has a script."""
    parts = [part for each in variants for part in (each if isinstance(each, (list, tuple)) else [each])]
    if any(callable(part) or isinstance(part, Script) for part in parts):
        return None
    return max(len(each) if isinstance(each, (list, tuple)) else 1 for each in variants)


# ---------------------------------------------------------------- shown


def show(explained: Sequence[Explained], format: str) -> None:
    out = stdout()
    if format == "json":
        print_json([_json(each) for each in explained])
    elif format == "markdown":
        out.write("\n".join(_markdown(each) for each in explained))
    else:
        from rich.console import Console

        console = Console(file=out, width=columns(out) if out.isatty() else None, highlight=False)
        for each in explained:
            console.print(_rich(each))


def _json(each: Explained) -> dict[str, Any]:
    return {
        "test": each.sample.id, "suite": each.sample.suite, "place": each.place, **dict(each.facts),
        "warnings": each.warnings, "steps": [step.to_json() for step in each.steps],
    }  # fmt: skip


def label(step: Step) -> str:
    """'SubstringEvaluator(substr="a", lower=True)'; an operator or a text as it is."""
    if not step.title.isidentifier():
        return step.title
    told = step.in_short or ", ".join(f"{name}={value}" for name, value in step.arguments)
    return f"{step.title}({told})"


def _markdown(each: Explained) -> str:
    lines = [f"### {visible(each.sample.id)}", "", f"`{each.place}`", ""]
    lines += [f"- {name}: {one_line(said)}" for name, said in each.facts]
    lines += [f"- **warning**: {one_line(said)}" for said in each.warnings]
    lines += ["", "```mermaid", "flowchart TD"]
    _mermaid(each.steps, lines, [0])
    return "\n".join([*lines, "```", "", ""])


def _mermaid(steps: Sequence[Step], lines: list[str], number: list[int], parent: str = "") -> None:
    """Steps behind one another are joined by arrows, parts of one by lines."""
    before = ""
    for step in steps:
        name, number[0] = f"n{number[0]}", number[0] + 1
        words = [label(step), *step.notes(), *(f"WARNING: {each}" for each in step.warnings)]
        text = "<br/>".join(_quoted(each) for each in words)
        lines.append(f'    {name}["{text}"]')
        joined = before if before and not _beside(parent) else ""
        if joined:
            lines.append(f"    {joined} --> {name}")
        elif parent:
            lines.append(f"    {parent.partition(' ')[0]} --- {name}")
        _mermaid(step.steps, lines, number, f"{name} {'beside' if step.title.endswith(')') else ''}")
        before = name


def _beside(parent: str) -> bool:
    return parent.endswith("beside")


def _quoted(text: str) -> str:
    """For a label of Mermaid's, which is HTML, and whose own signs are # and quotes."""
    for char in '&<>"#`':
        text = text.replace(char, f"\0{ord(char)};")
    return text.replace("\0", "#")


def _rich(each: Explained) -> Tree:
    from rich.text import Text
    from rich.tree import Tree

    head = Text.assemble((one_line(each.sample.id), "bold"), "  ", (each.place, "dim"))
    for name, said in each.facts:
        head.append(f"\n{name}: ", "dim")
        head.append(one_line(said))
    for said in each.warnings:
        head.append(f"\nwarning: {one_line(said)}", "yellow")
    made = Tree(head, guide_style="dim")
    _grow(made, each.steps)
    return made


def _grow(below: Tree, steps: Sequence[Step]) -> None:
    from rich.text import Text

    for step in steps:
        text = Text(label(step), "cyan" if step.title.isidentifier() else "")
        if notes := step.notes():
            text.append(f"   {'; '.join(notes)}", "dim")
        for said in step.warnings:
            text.append(f"\nwarning: {said}", "yellow")
        _grow(below.add(text), step.steps)
