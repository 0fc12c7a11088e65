LIMIT = 10**12

# b blue discs of n: 2b(b - 1) = n(n - 1), or with x = 2n - 1 and y = 2b - 1: x^2 - 2y^2 = -1. The
# solutions of this Pell equation come from (1, 1) by (x, y) -> (3x + 4y, 2x + 3y); x and y stay odd.
x, y = 1, 1
while (x + 1) // 2 <= LIMIT:
    x, y = 3 * x + 4 * y, 2 * x + 3 * y
print((y + 1) // 2)
