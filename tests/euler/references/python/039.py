LIMIT = 1000

triangles = [0] * (LIMIT + 1)
for a in range(1, LIMIT // 3):
    for b in range(a, (LIMIT - a) // 2):
        c = int((a * a + b * b) ** 0.5)
        if c * c == a * a + b * b and a + b + c <= LIMIT:
            triangles[a + b + c] += 1

print(max(range(LIMIT + 1), key=triangles.__getitem__))
