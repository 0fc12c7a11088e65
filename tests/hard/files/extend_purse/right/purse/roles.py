"""Who may do what."""

import math

from . import money
from .errors import Refused

ROLES = ("viewer", "clerk", "admin")
NEEDS = {
    "user": "admin", "limit": "admin", "lock": "admin", "unlock": "admin", "merge": "admin", "import": "admin", "currency": "admin", "drop": "admin", "convert": "admin", "rate": "clerk", "close": "admin",
    "open": "clerk", "rename": "clerk", "post": "clerk", "split": "clerk", "repeat": "clerk", "void": "clerk", "undo": "clerk", "redo": "clerk",
}


def check(command, role):
    """Refuse a command that the role does not allow. What is not named everybody may do."""
    needed = NEEDS.get(command, "viewer")
    if ROLES.index(role) < ROLES.index(needed):
        raise Refused(f"{command} is for {needed}s")


def check_limit(data, user, units, code, day):
    """A clerk with a limit may not move more than that in one entry."""
    if user["role"] == "clerk" and user["limit"] is not None and math.ceil(money.exact(data, units, code, money.BASE, day)) > user["limit"]:
        raise Refused("above your limit")
