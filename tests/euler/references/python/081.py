with open("matrix.txt") as file:
    matrix = [[int(cell) for cell in line.split(",")] for line in file if line.strip()]

best = [0] + [float("inf")] * (len(matrix) - 1)  # the smallest sums that come in from the row above
for row in matrix:
    left = float("inf")
    for column, cell in enumerate(row):
        left = best[column] = min(left, best[column]) + cell
print(best[-1])
