"""The smallest number that each of 1 to 20 divides."""

from math import lcm

print(lcm(*range(1, 21)))
