"""Everything that is kept."""

import copy


def empty():
    """A new book. All in it is what JSON knows, so that it can be copied and stored."""
    return {
        "users": {"root": {"role": "admin", "limit": None}},
        "accounts": {},  # name -> {"kind", "closed"}
        "entries": [],  # {"number", "day", "from", "to", "cents", "note", "void", "group"}
        "locked": [],
        "next": 1,
    }


def copied(data):
    return copy.deepcopy(data)
