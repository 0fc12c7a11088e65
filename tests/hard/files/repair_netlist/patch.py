"""A rack of modules: commands from stdin, an answer a line."""

import sys

from rack import Rack


def main():
    rack = Rack("wires.txt")
    commands = {"from": rack.before, "to": rack.after, "pulse": rack.pulse, "paths": rack.paths}
    for line in sys.stdin:
        word, *numbers = line.split()
        print(commands[word](*map(int, numbers)))


main()
