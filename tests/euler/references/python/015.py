"""Walks through a grid of 20 x 20 cells: which 20 of the 40 steps go down."""

from math import comb

SIZE = 20

print(comb(2 * SIZE, SIZE))
