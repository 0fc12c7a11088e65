"""Whether two records are of the same version of a test, by their fingerprints."""

STYLE = "test:"  # prefix of fingerprints without Assay's own code; older ones cover it too


def is_other(then: str, now: str) -> bool:
    """Whether two fingerprints are of different versions of a test; a missing one never differs."""
    return bool(then and now) and then != now


def covers_assay(fingerprint: str, newer: str) -> bool:
    """Whether `fingerprint` was made when fingerprints covered Assay's own code too, and `newer` was not. It
    is then unknown whether the test was the same, since the old fingerprint is one hash over both."""
    return newer.startswith(STYLE) and bool(fingerprint) and not fingerprint.startswith(STYLE)
