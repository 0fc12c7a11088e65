"""A heap of rings: commands from stdin, an answer a line."""

import sys

from chain import Chain


def main():
    with open("links.txt") as file:
        chain = Chain(line.split() for line in file if line.strip())
    commands = {"linked": chain.linked, "lift": chain.lift, "cut": chain.cut, "common": chain.common}
    for line in sys.stdin:
        word, *names = line.split()
        print(commands[word](*names))


main()
