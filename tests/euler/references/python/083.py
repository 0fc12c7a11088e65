from heapq import heappop, heappush

with open("matrix.txt") as file:
    matrix = [[int(cell) for cell in line.split(",")] for line in file if line.strip()]

# Dijkstra: cells leave the queue in the order of their smallest sums.
size = len(matrix)
queue = [(matrix[0][0], 0, 0)]
done = set()
while (size - 1, size - 1) not in done:
    total, row, column = heappop(queue)
    if (row, column) in done:
        continue
    done.add((row, column))
    for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
        if 0 <= r < size and 0 <= c < size and (r, c) not in done:
            heappush(queue, (total + matrix[r][c], r, c))
print(total)
