"""Standard modules by the C modules behind them: os, ctypes, OpenSSL and enum would cost 10 ms of a start."""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import hashlib
    import os
    import signal
else:
    try:
        import _blake2 as hashlib
        import _signal as signal
        import posix as os
    except ImportError:
        import hashlib
        import os
        import signal

__all__ = ["decode", "encode", "hashlib", "os", "signal"]


def decode(name: bytes) -> str:
    """A file's name as `os` takes it, as os.fsdecode gives it."""
    return name.decode(sys.getfilesystemencoding(), "surrogateescape")


def encode(name: str) -> bytes:
    """A file's name as the kernel has it."""
    return name.encode(sys.getfilesystemencoding(), "surrogateescape")
