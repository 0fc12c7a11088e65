"""What a generator makes: the files that a program may see, and the labels that stay with the host."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO

import numpy as np

from .streams import Array


@dataclass(frozen=True)
class Made:
    """`public`: file name -> array, or text with one item a line. `labels`: int64, (N,) or (N, 9)."""

    public: Mapping[str, Array | str]
    labels: Array

    def files(self) -> dict[str, bytes]:
        """The public files as they are written."""
        return {name: encoded(value) for name, value in self.public.items()}

    def hashes(self) -> dict[str, str]:
        """File name -> SHA-256 of its content (of arrays: type, shape and values)."""
        return {name: digest(value) for name, value in (*self.public.items(), ("test_labels", self.labels))}


def encoded(value: Array | str) -> bytes:
    """A file's bytes: .npy, or UTF-8 text."""
    if isinstance(value, str):
        return value.encode()
    out = BytesIO()
    np.save(out, np.ascontiguousarray(value), allow_pickle=False)
    return out.getvalue()


def digest(value: Array | str) -> str:
    """SHA-256 of an array's type, shape and values, little-endian, or of a text."""
    if isinstance(value, str):
        return hashlib.sha256(value.encode()).hexdigest()
    array = np.ascontiguousarray(value.astype(value.dtype.newbyteorder("<")))
    head = f"{array.dtype.kind}{array.dtype.itemsize}{array.shape}".encode()
    return hashlib.sha256(head + array.tobytes()).hexdigest()
