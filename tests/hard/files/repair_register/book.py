"""The numbers of a stock book."""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Book:
    def __init__(self, name):
        with open(name) as file:
            self.rows = [[int(number) for number in line.split()] for line in file if line.strip()]

    def entry(self, which):
        return self.rows[LETTERS.index(which[0])][int(which[1:]) - 1]

    def row(self, which):
        return sum(self.rows[LETTERS.index(which)])

    def column(self, which):
        return sum(row[int(which) - 1] for row in self.rows)

    def above(self, which):
        return sum(number > int(which) for row in self.rows for number in row)
