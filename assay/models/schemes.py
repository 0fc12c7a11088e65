"""http:// and https:// taken for each other, and certificates that are not trusted: what no retry mends."""

from __future__ import annotations

import asyncio
import contextlib
import re
import ssl
from urllib.parse import urlsplit

ANSWERS_WITHIN_S = 3.0  # the question whether a server speaks the other of the two

# OpenSSL's words for an answer that is not TLS; its versions differ
_NO_TLS = re.compile(
    r"WRONG_VERSION_NUMBER|RECORD_LAYER_FAILURE|UNKNOWN_PROTOCOL|HTTP_REQUEST|PACKET_LENGTH_TOO_LONG"
)
# ... and for a certificate that is not trusted, to the end or to Python's source line
_UNTRUSTED = re.compile(r"certificate verify failed:? ?(?P<why>[^\n]*?)\.?(?: \(_ssl\.c|\]|$)", re.MULTILINE)
_UNKNOWN_ISSUER = re.compile(r"self[- ]signed|local issuer|verify the first certificate")
# What servers reply, with status 400, to a request without TLS: nginx and Go; Apache
WANTS_TLS = re.compile(
    r"HTTP request (?:was sent )?to (?:an )?HTTPS|speaking plain HTTP to an SSL", re.IGNORECASE
)


def misaddressed(said: str, url: str) -> str:
    """What is wrong with an address, from what OpenSSL said; '' if that is something else.

    >>> misaddressed("[SSL: WRONG_VERSION_NUMBER] wrong version number (_ssl.c:1006)", "https://host:80/v1")
    'https://host:80 answers without TLS: write http:// in base_url'
    """
    where = _origin(url)
    if _NO_TLS.search(said):
        return without_tls(url)
    if (found := _UNTRUSTED.search(said)) is None:
        return ""
    why = found["why"]
    if _UNKNOWN_ISSUER.search(why):
        return (
            f"the certificate of {where} is not trusted here ({why}): set the environment variable "
            "SSL_CERT_FILE to a file with the server's certificate, or that of its issuer"
        )
    if "is not valid for" in why:
        return f"the certificate of {where} is for another host ({why}): write the host's name in base_url"
    return f"the certificate of {where} is not valid{f' ({why})' if why else ''}"


def without_tls(url: str) -> str:
    return f"{_origin(url)} answers without TLS: write http:// in base_url"


def wants_tls(url: str) -> str:
    return f"{_origin(url)} answers only with TLS: write https:// in base_url"


async def speaks_the_other(url: str) -> bool:
    """Whether the server of an address with https:// answers plain HTTP, or that of one with http:// TLS."""
    parts = urlsplit(url)
    secure = parts.scheme == "https"
    port = parts.port or (443 if secure else 80)
    context = None
    if not secure:
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE  # nothing is sent by it
    with contextlib.suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
        async with asyncio.timeout(ANSWERS_WITHIN_S):
            reader, writer = await asyncio.open_connection(parts.hostname, port, ssl=context)
            try:
                if not secure:
                    return True
                writer.write(f"GET / HTTP/1.1\r\nHost: {parts.netloc}\r\nConnection: close\r\n\r\n".encode())
                return await reader.readexactly(5) == b"HTTP/"
            finally:
                writer.transport.abort()
    return False


def _origin(url: str) -> str:
    """Of an address, without the user's name and password.

    >>> _origin("https://bob:secret@host:8000/v1")
    'https://host:8000'
    """
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}" if parts.netloc else url
