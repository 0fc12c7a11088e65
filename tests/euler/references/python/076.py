TARGET = 100

# ways[n]: sums of n from the summands seen so far. The target itself is no summand.
ways = [1] + [0] * TARGET
for summand in range(1, TARGET):
    for n in range(summand, TARGET + 1):
        ways[n] += ways[n - summand]
print(ways[TARGET])
