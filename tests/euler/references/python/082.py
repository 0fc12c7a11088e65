with open("matrix.txt") as file:
    matrix = [[int(cell) for cell in line.split(",")] for line in file if line.strip()]

size = len(matrix)
best = [0] * size  # the smallest sums that come in from the column on the left
for column in zip(*matrix, strict=True):
    best = [sum_left + cell for sum_left, cell in zip(best, column, strict=True)]
    for row in range(1, size):
        best[row] = min(best[row], best[row - 1] + column[row])
    for row in reversed(range(size - 1)):
        best[row] = min(best[row], best[row + 1] + column[row])
print(min(best))
