best = 0
for x in range(1, 10_000):  # from 10000 on, two products have ten digits already
    joined, n = "", 0
    while len(joined) < 9:
        n += 1
        joined += str(n * x)
    if n > 1 and "".join(sorted(joined)) == "123456789":
        best = max(best, int(joined))
print(best)
