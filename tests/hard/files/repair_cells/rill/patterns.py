"""Patterns of names."""


def is_pattern(what):
    return what.endswith("*")


def matching(pattern, names):
    """The names that begin as the pattern says."""
    return tuple(name for name in names if name.startswith(pattern[:-1]))
