# One more fraction turns n/d into 1 + 1/(1 + n/d) = (n + 2d) / (n + d), in lowest terms if n/d is.
longer = 0
n, d = 1, 1
for _ in range(1000):
    n, d = n + 2 * d, n + d
    longer += len(str(n)) > len(str(d))
print(longer)
