"""Commands in, answers out."""
import sys

from .commands import Tally

tally = Tally()
for line in sys.stdin.buffer.read().decode("utf-8").split("\n"):
    for answer in tally.do(line):
        sys.stdout.buffer.write(f"{answer}\n".encode("utf-8"))
