"""Server-sent events out of a reply that comes in parts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from assay.models.failures import Unreadable
from assay.models.http_provider import answer_in, parsed

EVENT_END = re.compile(rb"\r?\n\r?\n|\r\r")
LAST = b"[DONE]"
BLANK = b"\xef\xbb\xbf \t\r\n\v\f"  # the bytes of a byte order mark among them


class EventStream:
    """A subclass takes the events, and says at the end what they came to. Nothing is kept of an event that
    was taken; how much may come at all is the connection's to say (plain_http.MOST_BODY)."""

    def __init__(self) -> None:
        self._rest = bytearray()  # of which no event's end has been seen
        self._begun = False  # an event was seen
        self.said_all = False  # the server says that it was the last one

    def take(self, said: dict[str, Any]) -> None:
        """One event's data. A KeyError and the like mean that it is no such stream."""
        raise NotImplementedError

    def feed(self, part: bytes) -> None:
        """The next part. Raises Unreadable where it is no such stream, and StatusError where an event is an
        error."""
        seen, begin = max(0, len(self._rest) - 3), 0
        self._rest += part
        if not self._begun and self._rest[:1] in BLANK:  # by which some keep a connection alive
            self._rest, seen = self._rest.lstrip(BLANK), 0
        if self._is_no_stream():
            return
        while (end := EVENT_END.search(self._rest, max(seen, begin))) is not None:
            event, begin = bytes(self._rest[begin : end.start()]), end.end()
            self._event(event)
        del self._rest[:begin]

    def ended(self) -> Any:
        """To be asked when nothing more comes: None, or of a server that streams nothing the JSON that it
        sent. Raises Unreadable or StatusError, where the last event is not whole or an error."""
        if self._is_no_stream():
            return parsed(self._rest)
        rest, self._rest = bytes(self._rest), bytearray()
        self._event(rest)
        return None

    def _is_no_stream(self) -> bool:
        """Whether something else came: an object, or a page. Events begin with a word."""
        return not self._begun and self._rest.startswith((b"{", b"<"))

    def _event(self, event: bytes) -> None:
        if event.startswith(b"error:"):  # llama.cpp
            event = b'data: {"error":%s}' % event[6:]
        data = b"\n".join(line[5:] for line in event.splitlines() if line.startswith(b"data:"))
        if data.strip() == LAST:
            self.said_all = True
        if not data or self.said_all:
            return
        self._begun = True
        said = answer_in(parsed(data))
        try:
            self.take(said)
        except (AttributeError, IndexError, KeyError, TypeError) as error:
            raise Unreadable(f"not the stream that was expected ({type(error).__name__})") from None


def joined(pieces: Iterable[str]) -> str:
    """The text of these pieces. A character that was cut into two surrogates, as servers in JavaScript do, is
    whole again.

    >>> joined(["a\\ud83d", "\\ude00"]) == "a\\N{GRINNING FACE}"
    True
    """
    text = "".join(pieces)
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    return text
