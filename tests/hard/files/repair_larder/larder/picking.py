"""Which lots units come from."""


def pick(shelf, holds, name, units):
    """Pairs of lot and units, in the order of use; None if there are too few free ones."""
    found, left = [], units
    for lot in shelf.of(name):
        here = min(left, holds.free(lot))
        if here > 0:
            found.append((lot, here))
            left -= here
    return None if left else found


def free_units(shelf, holds, name):
    return sum(holds.free(lot) for lot in shelf.of(name))
