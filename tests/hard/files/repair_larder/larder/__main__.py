import sys

from larder.commands import Kitchen

kitchen = Kitchen()
for line in sys.stdin:
    words = line.split()
    if words:
        for answer in kitchen.do(words):
            print(answer)
