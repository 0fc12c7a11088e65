"""Whether two records are of the same version of a test, by their fingerprints."""

from assay.records import TrialRecord

STYLE = "test:"  # prefix of fingerprints without Assay's own code; older ones cover it too


ASKS = "asks:"  # prefix of what stands for a missing fingerprint: the hash of what is asked and checked


def version_of(record: TrialRecord) -> str:
    """The version of its test: the fingerprint or, for a suite that gives none, what was asked and checked;
    '' if neither is known."""
    return record.fingerprint or (f"{ASKS}{record.expression}" if record.expression else "")


def is_other(then: str, now: str) -> bool:
    """Whether two versions of a test differ; a missing one never differs, nor one of another kind."""
    return bool(then and now) and then != now and then.startswith(ASKS) == now.startswith(ASKS)


def covers_assay(fingerprint: str, newer: str) -> bool:
    """Whether `fingerprint` was made when fingerprints covered Assay's own code too, and `newer` was not. It
    is then unknown whether the test was the same, since the old fingerprint is one hash over both."""
    return newer.startswith(STYLE) and bool(fingerprint) and not fingerprint.startswith(STYLE)
