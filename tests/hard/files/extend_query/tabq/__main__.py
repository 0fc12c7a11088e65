import sys

from tabq.script import Script

script = Script()
for line in sys.stdin:
    for answer in script.do(line):
        print(answer)
