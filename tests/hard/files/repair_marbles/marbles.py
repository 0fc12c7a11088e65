"""A game of marbles: commands from stdin, an answer a line."""

import sys

from board import NAMES, WAYS, read


def show(board, column, row):
    arrow = board[column, row]
    return NAMES[arrow[0]] + "-+"[arrow[1] > 0] if arrow else "empty"


def drop(board, column, row, steps):
    board, way, at = dict(board), 2, (column, row)
    for _ in range(steps):
        if board[at]:
            way, turn = board[at]
            board[at] = (way + turn) % 8, turn
        at = at[0] + WAYS[way][0], at[1] + WAYS[way][1]
        if at not in board:
            return "out"
    return "{} {}".format(*at)


def main():
    board = read("board.txt")
    for line in sys.stdin:
        word, *numbers = line.split()
        print({"show": show, "drop": drop}[word](board, *map(int, numbers)))


main()
