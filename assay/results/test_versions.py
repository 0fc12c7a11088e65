"""Whether two records are of the same version of a test, by their fingerprints."""

import re
from hashlib import blake2b

from assay.records import TrialRecord

STYLE = "test:"  # prefix of fingerprints without Assay's own code; older ones cover it too
ASKS = "asks:"  # prefix of what stands for a missing fingerprint: the hash of what is asked and checked
MARK = 6  # bytes of a mark
UNKNOWN = bytes(MARK)  # the mark of no version
SAMPLE = "sample:"  # prefix of the fingerprint of a sample to which its suite gives none


def version_of(record: TrialRecord) -> str:
    """The version of its test: the fingerprint that its author gave or, where there is none, that of the
    sample and what was asked and checked; '' if neither is known."""
    given = bool(record.fingerprint) and not record.fingerprint.startswith(SAMPLE)
    return record.fingerprint + (f"{ASKS}{record.expression}" if record.expression and not given else "")


def asks_other(then: str, version: str, expression: str) -> bool:
    """Whether a sample without a fingerprint asks or checks something else now, as its version or its
    expression tells. `then`: as `version_of` has it."""
    before, _, asked = then.partition(ASKS)
    return is_other(before, version) or (bool(asked and expression) and asked != expression)


PARTS = re.compile(
    r"(?s:(?P<source>.*?))(?:~(?P<packages>[0-9a-f]{8}))?(?:\+(?P<code>[0-9a-f]{8})\.(?P<held>[0-9a-f]{8}))?"
)


def with_content(fingerprint: str, code: str, held: str, packages: str = "") -> str:
    """The fingerprint of a test's file together with a hash of what the test holds, such as its row of a file
    elsewhere. `code`: of Assay's nodes, whose upgrade may change that hash. `packages`: a hash of the code of
    installed packages that it uses."""
    return f"{fingerprint}{packages and f'~{packages}'}+{code}.{held}"


def is_other(then: str, now: str) -> bool:
    """Whether two versions of a test differ; a missing one never differs, nor one of another kind. Packages
    tell only if both versions name theirs, and what the tests hold only if both have it, made by the same
    code."""
    if then == now or not (then and now) or _kind(then) != _kind(now):
        return False
    one, other = PARTS.fullmatch(then), PARTS.fullmatch(now)
    assert one is not None and other is not None  # all parts may be missing
    if one["source"] != other["source"]:
        return True
    if None not in (one["packages"], other["packages"]) and one["packages"] != other["packages"]:
        return True
    return one["code"] is not None and one["code"] == other["code"] and one["held"] != other["held"]


def _kind(version: str) -> str:
    return next(filter(version.startswith, (ASKS, SAMPLE)), "")


def mark_of(version: str) -> bytes:
    """A few bytes in place of a fingerprint without parts."""
    parts = PARTS.fullmatch("" if _kind(version) else version)
    source = parts["source"] if parts else ""
    digest = blake2b(source.encode("utf-8", "surrogatepass"), digest_size=MARK).digest()
    return digest if source else UNKNOWN


def differ(mark: bytes, other: bytes) -> bool:
    """Whether two marks are of different versions."""
    return mark != other and UNKNOWN not in (mark, other)


def covers_assay(fingerprint: str, newer: str) -> bool:
    """Whether `fingerprint` was made when fingerprints covered Assay's own code too, and `newer` was not. It
    is then unknown whether the test was the same, since the old fingerprint is one hash over both."""
    return newer.startswith(STYLE) and bool(fingerprint) and not fingerprint.startswith(STYLE)
