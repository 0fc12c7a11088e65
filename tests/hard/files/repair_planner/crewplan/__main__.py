import sys

from crewplan.commands import Office

office = Office()
for line in sys.stdin:
    words = line.split()
    if words:
        for answer in office.do(words):
            print(answer)
