"""The table of tracks."""


def partners(name):
    """The other end of each end."""
    found = {}
    with open(name) as lines:
        for line in lines:
            if line.strip():
                one, other = line.split()
                found[one], found[other] = other, one
    return found
