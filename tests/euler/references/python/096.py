ALL = 0b111111111  # one bit for each digit from 1 to 9


def solve(grid):
    """Fill the empty cells of `grid`, a list of 81 digits with 0 for empty, in place."""
    rows, columns, boxes = [ALL] * 9, [ALL] * 9, [ALL] * 9  # digits not used yet

    def toggle(cell, bit):
        row, column = divmod(cell, 9)
        rows[row] ^= bit
        columns[column] ^= bit
        boxes[row // 3 * 3 + column // 3] ^= bit

    def candidates(cell):
        row, column = divmod(cell, 9)
        return rows[row] & columns[column] & boxes[row // 3 * 3 + column // 3]

    def fill(empty):
        if not empty:
            return True
        cell = min(empty, key=lambda cell: candidates(cell).bit_count())  # the fewest choices first
        others = [other for other in empty if other != cell]
        choices = candidates(cell)
        for digit in range(1, 10):
            bit = 1 << digit - 1
            if choices & bit:
                grid[cell] = digit
                toggle(cell, bit)
                if fill(others):
                    return True
                toggle(cell, bit)
        return False

    for cell, digit in enumerate(grid):
        if digit:
            toggle(cell, 1 << digit - 1)
    fill([cell for cell, digit in enumerate(grid) if not digit])


with open("sudoku.txt") as file:
    lines = [line.strip() for line in file if line.strip()]

total = 0
for heading in range(0, len(lines), 10):
    grid = [int(digit) for line in lines[heading + 1 : heading + 10] for digit in line]
    solve(grid)
    total += 100 * grid[0] + 10 * grid[1] + grid[2]
print(total)
