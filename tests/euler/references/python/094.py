LIMIT = 10**9

# Sides a, a, a + e with e = 1 or -1. The area is (a + e) / 4 * sqrt(4a^2 - (a + e)^2), and with
# x = (3a - e) / 2 and y = sqrt(4a^2 - (a + e)^2) / 2 it is an integer just if x^2 - 3y^2 = 1 in integers.
# The solutions of this Pell equation come from (2, 1) by (x, y) -> (2x + 3y, x + 2y).
total = 0
x, y = 2, 1
while 2 * x - 2 <= LIMIT:
    for e in (1, -1):
        # 3a = 2x + e, and the perimeter is 3a + e. y and a + e are positive but for the triangle 1, 1, 0.
        if (2 * x + e) % 3 == 0:
            a = (2 * x + e) // 3
            if a + e > 0 and 3 * a + e <= LIMIT:
                total += 3 * a + e
    x, y = 2 * x + 3 * y, x + 2 * y
print(total)
