"""Whether two records are of the same version of a test, by the fingerprints that they hold."""

STYLE = "test:"  # what a fingerprint without Assay's own code begins with; older ones cover that too


def is_other(then: str, now: str) -> bool:
    """Whether two fingerprints tell of different versions of a test; one that is missing tells nothing."""
    return bool(then and now) and then != now


def covers_assay(fingerprint: str, newer: str) -> bool:
    """Whether one was made when fingerprints covered Assay's own code too, and `newer` was not: then it
    cannot be known whether the test was the same, since of the old one a hash over both is all there is."""
    return newer.startswith(STYLE) and bool(fingerprint) and not fingerprint.startswith(STYLE)
