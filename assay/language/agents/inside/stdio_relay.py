"""Runs inside the sandbox: hands a command's stdin and stdout on to its terminal.

Started as `python3 -I -c SOURCE COMMAND`. In, after the first line out, is the command's stdin as it is. A
line out is `KIND DATA`, with data in base64: R (ready), O (a part of what it printed), X (how it ended, with
the last words on stderr). Standard library only; Python 3.9 or later.
"""

from __future__ import annotations

import base64
import os
import subprocess
import sys
import termios
import threading
import tty

PART = 16 << 10
LAST_WORDS = 2000


def say(kind: str, data: bytes = b"") -> None:
    line = b"%s %s\n" % (kind.encode(), base64.b64encode(data))
    while line:
        line = line[os.write(1, line) :]


def main() -> None:
    tty.setraw(0, termios.TCSANOW)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    server = subprocess.Popen(["bash", "-c", sys.argv[1]], bufsize=0, **pipes)  # type: ignore[call-overload]
    words = bytearray()

    def hear() -> None:
        while data := os.read(0, PART):
            try:
                server.stdin.write(data)
            except OSError:  # it listens no more
                pass
        os._exit(0)

    def listen() -> None:
        while data := server.stderr.read(PART):
            words.extend(data)
            del words[:-LAST_WORDS]

    listening = threading.Thread(target=listen, daemon=True)
    listening.start()
    say("R")
    threading.Thread(target=hear, daemon=True).start()
    while data := server.stdout.read(PART):
        say("O", data)
    listening.join(1.0)
    try:
        ended = f"exit status {server.wait(1.0)}"
    except subprocess.TimeoutExpired:
        ended = "it closed its output"
    say("X", ended.encode() + b"\n" + bytes(words))


if __name__ == "__main__":
    main()
