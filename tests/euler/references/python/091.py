from math import gcd

SIZE = 50

# Right angle at the origin: P on one axis, Q on the other. Right angle on an axis: P on it at (x, 0) and
# Q straight above, and the same for the other axis. That makes three times SIZE * SIZE.
triangles = 3 * SIZE * SIZE

# Right angle at P = (x, y) off the axes: Q is reached from P by steps of (y, -x) / gcd(x, y), in either
# direction, as long as the grid lasts.
for x in range(1, SIZE + 1):
    for y in range(1, SIZE + 1):
        divisor = gcd(x, y)
        step_x, step_y = y // divisor, x // divisor
        triangles += min((SIZE - x) // step_x, y // step_y)
        triangles += min(x // step_x, (SIZE - y) // step_y)
print(triangles)
