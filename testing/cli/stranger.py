"""A package of extensions, most of which have a mistake."""

from __future__ import annotations

from assay.records import Table

MODULE = """
from pathlib import Path
from assay.errors import ConfigError, StoreError
from assay.language.languages import Language
from assay.results.export.registry import Export, whole_file
from assay.suites.suite import Suite

def first(source, path):
    with whole_file(path) as part:
        part.write_text("".join(trial.record.test for trial in list(source.trials())[:1]))
    return 1

def plain(source, path):
    path.write_text("")
    return sum(1 for _ in source.trials())

def full(source, path): raise StoreError("the disk is full")
def silent(source, path): return 3
def says_none(source, path): path.write_text("")
def breaks(source, path): raise KeyError("answer")
def exits(source, path): raise SystemExit(0)
def engine(config, request, run_id, message): raise ConfigError("no cloud here")
async def later(source, path): return 0
def alone(source): return 0
class Watch:
    def __init__(self, *, content): pass
    def watch(self, facts, scrub, say): pass
class Blind:
    def watch(self, facts, scrub, say): pass
FISH = Language("main.fish", "no-such-fish main.fish", needs=("no-such-fish",), hello="echo hello")
FIRST, PLAIN, FULL, BREAKS = Export(first), Export(plain), Export(full), Export(breaks)
SILENT, SAYS_NONE, EXITS = Export(silent), Export(says_none), Export(exits)
LATER, ALONE = Export(later), Export(alone)
class Mute(Suite):
    name = "mute"
    def samples(self, options): pass
print("what a package prints")
"""


ENTRIES = """
[assay.exports]
first = assay_stranger:FIRST
plain = assay_stranger:PLAIN
full = assay_stranger:FULL
breaks = assay_stranger:BREAKS
silent = assay_stranger:SILENT
exits = assay_stranger:EXITS
says_none = assay_stranger:SAYS_NONE
wrong = assay_stranger:first
kind = assay_stranger:Export
later = assay_stranger:LATER
alone = assay_stranger:ALONE
gone = assay_stranger:GONE
csv = assay_stranger:FIRST

[assay.languages]
fish = assay_stranger:FISH

[assay.observers]
watch = assay_stranger:Watch
blind = assay_stranger:Blind
lines = assay_stranger:FIRST

[assay.nodes]
shout = assay_stranger:Shout

[assay.engines]
cloud = assay_stranger:engine

[assay.suites]
mute = assay_stranger:Mute

[assay.provider]
here = assay_stranger:engine

[assay.export]
here = assay_stranger:FIRST

[assay.sandbox]
here = assay_stranger:FIRST

[assay.suits]
here = assay_stranger:Mute

[assay.language]
here = assay_stranger:FISH
"""


NONE_OPENED = Table("Sandboxes", ("name", "works", "image", "remarks"), ())
