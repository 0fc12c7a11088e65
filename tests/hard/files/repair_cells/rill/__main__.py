"""python3 -m rill < commands"""

import sys

from .commands import Rill

rill = Rill()
for line in sys.stdin:
    for answer in rill.do(line.split()):
        print(answer)
