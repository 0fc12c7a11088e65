from collections import defaultdict
from itertools import count

WANTED = 5


def first_cube() -> int:
    families = defaultdict(list)  # sorted digits -> cubes, all of the same length
    length = 1
    for n in count(1):
        cube = n**3
        if len(str(cube)) > length:  # every cube of the last length has been seen
            complete = [family[0] for family in families.values() if len(family) == WANTED]
            if complete:
                return min(complete)
            families.clear()
            length = len(str(cube))
        families["".join(sorted(str(cube)))].append(cube)
    raise AssertionError("unreachable: count() does not end")


print(first_cube())
