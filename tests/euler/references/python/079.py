from itertools import count

with open("keylog.txt") as file:
    logins = sorted({line.strip() for line in file if line.strip()})


def complete(rests, length):
    """A sequence of at most `length` digits that has each of `rests` as a subsequence, or None."""
    rests = [rest for rest in rests if rest]
    if not rests:
        return ""
    if len(set("".join(rests))) > length:  # each digit still wanted takes at least one place
        return None
    for digit in sorted({rest[0] for rest in rests}):
        end = complete([rest[1:] if rest[0] == digit else rest for rest in rests], length - 1)
        if end is not None:
            return digit + end
    return None


print(next(secret for length in count(1) if (secret := complete(logins, length)) is not None))
