from math import log

with open("base_exp.txt") as file:
    pairs = [[int(number) for number in line.split(",")] for line in file if line.strip()]

# a^b < c^d just if b log a < d log c.
logarithms = [exponent * log(base) for base, exponent in pairs]
print(logarithms.index(max(logarithms)) + 1)
