from math import factorial

LIMIT = 1_000_000
WANTED = 60
FACTORIALS = [factorial(digit) for digit in range(10)]


def successor(n):
    total = 0
    while n:
        n, digit = divmod(n, 10)
        total += FACTORIALS[digit]
    return total


length = {}  # of all numbers that were met
for start in range(1, LIMIT):
    path = []
    place = {}
    n = start
    while n not in length and n not in place:
        place[n] = len(path)
        path.append(n)
        n = successor(n)
    if n in place:  # a new loop: all its members have the loop's length
        loop = path[place[n] :]
        path = path[: place[n]]
        length.update(dict.fromkeys(loop, len(loop)))
    for steps, member in enumerate(reversed(path), 1):
        length[member] = length[n] + steps
print(sum(length[start] == WANTED for start in range(1, LIMIT)))
