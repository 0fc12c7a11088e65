import sys

from gridy.commands import Desk

desk = Desk()
for line in sys.stdin:
    if line.strip():
        for answer in desk.do(line.strip()):
            print(answer)
