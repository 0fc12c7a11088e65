with open("triangle.txt") as file:
    rows = [[int(number) for number in line.split()] for line in file if line.strip()]

# From the bottom up: the best total from each place downwards.
best = [0] * (len(rows) + 1)
for row in reversed(rows):
    best = [number + max(best[i], best[i + 1]) for i, number in enumerate(row)]
print(best[0])
