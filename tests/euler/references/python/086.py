from math import isqrt

TARGET = 1_000_000

# With edges a <= b <= c the shortest way has length sqrt((a + b)^2 + c^2). Count by the longest edge c
# and by the sum a + b, of which there are as many pairs as a <= b <= c allows.
rooms = 0
c = 0
while rooms <= TARGET:
    c += 1
    for ab in range(2, 2 * c + 1):
        square = ab * ab + c * c
        if isqrt(square) ** 2 == square:
            smallest_a = max(1, ab - c)
            rooms += ab // 2 - smallest_a + 1
print(c)
