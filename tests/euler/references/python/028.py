"""The sum of the numbers on the diagonals of a spiral of 1001 x 1001 cells."""

SIZE = 1001

total = number = 1
for side in range(3, SIZE + 1, 2):
    for _corner in range(4):  # each ring has four corners, side - 1 cells apart
        number += side - 1
        total += number
print(total)
