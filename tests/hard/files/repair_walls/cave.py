"""A cave: commands from stdin, an answer a line."""

import sys

from mapped import Map

STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}


def look(cave, column, row):
    return "".join(side for side, step in STEPS.items() if cave.is_open(column, row, *step)) or "none"


def walk(cave, column, row, moves):
    walls = 0
    for move in moves:
        across, down = STEPS[move]
        if cave.is_open(column, row, across, down):
            column, row = column + across, row + down
        else:
            walls += 1
    return f"{column} {row} {walls}"


def main():
    with open("map.txt") as file:
        cave = Map(file.read().splitlines())
    for line in sys.stdin:
        word, column, row, *moves = line.split()
        print(
            look(cave, int(column), int(row))
            if word == "look"
            else walk(cave, int(column), int(row), moves[0])
        )


main()
