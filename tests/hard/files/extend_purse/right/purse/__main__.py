"""python3 -m purse: reads commands from stdin, one a line, and prints what they give."""

import sys

from .commands import Session


def main():
    session = Session()
    for line in sys.stdin:
        line = line.rstrip("\n")
        if line.strip() and not line.startswith("#"):
            for said in session.run(line):
                print(said)


if __name__ == "__main__":
    main()
