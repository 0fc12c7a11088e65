"""The conversation with the host: requests on stdin, answers on stdout, and nobody else on either."""

from __future__ import annotations

import fcntl

from assay.sandboxes.agent.files import write_all
from assay.sandboxes.agent.frames import Seal, pack, unpack
from assay.sandboxes.agent.quick import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

CHUNK = 1 << 20


class Host:
    """Takes stdin and stdout for itself: what is started later finds /dev/null and stderr there."""

    def __init__(self) -> None:
        self.requests = fcntl.fcntl(0, fcntl.F_DUPFD_CLOEXEC, 3)
        self.answers = fcntl.fcntl(1, fcntl.F_DUPFD_CLOEXEC, 3)
        os.closerange(self.answers + 1, 4096)  # whatever the engine leaked
        nothing = os.open("/dev/null", os.O_RDWR)
        os.dup2(nothing, 0)
        os.dup2(2, 1)
        os.close(nothing)
        self.inbox = bytearray()

    def first(self) -> list[bytes]:
        """The first frame, which has no hash yet: it brings the key. What else it says."""
        key, *fields = unpack(self.exactly(int.from_bytes(self.exactly(4), "big")))
        self.incoming, self.outgoing = Seal(key, b"to-sbox:"), Seal(key, b"to-host:")
        return fields

    def exactly(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            more = os.read(self.requests, size - len(data))
            if not more:
                raise EOFError
            data += more
        return data

    def hear(self) -> Iterator[list[bytes]]:
        """The requests that have arrived. EOFError if the host is gone, or somebody else sent one."""
        data = os.read(self.requests, CHUNK)
        if not data:
            raise EOFError
        self.inbox += data
        while len(self.inbox) >= 4:
            end = 20 + int.from_bytes(self.inbox[:4], "big")
            if len(self.inbox) < end:
                return
            seal, body = bytes(self.inbox[4:20]), bytes(self.inbox[20:end])
            del self.inbox[:end]
            if self.incoming.of(body) != seal:
                raise EOFError
            yield unpack(body)

    def answer(self, *fields: bytes) -> None:
        """OSError if the host is gone."""
        body = pack(fields)
        write_all(self.answers, len(body).to_bytes(4, "big") + self.outgoing.of(body) + body)
