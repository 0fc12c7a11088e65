"""Everything that is kept."""

import copy


def empty():
    """A new book. All in it is what JSON knows, so that it can be copied and stored."""
    return {
        "users": {"root": {"role": "admin", "limit": None}},
        "accounts": {},  # name -> {"kind", "closed", "currency"}
        "entries": [],  # {"number", "day", "from", "to", "cents", "note", "void", "group", "arrives", "fixed"}
        "locked": [],
        "next": 1,
        "currencies": {},  # code -> {"digits", "rates": day -> millionths}, without the base
    }


def copied(data):
    return copy.deepcopy(data)
