import json


def nothing(messages):
    return ""


LONGEST = r"""```rust
use std::ffi::{CStr, CString};
use std::os::raw::c_char;

#[no_mangle]
pub extern "C" fn longest(text: *const c_char) -> *mut c_char {
    let text = unsafe { CStr::from_ptr(text) }.to_string_lossy();
    let mut best = "";
    for word in text.split_whitespace() {
        if word.chars().count() > best.chars().count() {
            best = word;
        }
    }
    CString::new(best).unwrap().into_raw()
}

#[no_mangle]
pub extern "C" fn longest_free(text: *mut c_char) {
    if !text.is_null() {
        drop(unsafe { CString::from_raw(text) });
    }
}
```"""

BUILD = "```bash\nrustc --edition 2021 -O --crate-type cdylib -o liblongest.so longest.rs\n```"

GLUE = """```python
import ctypes

_lib = ctypes.CDLL("./liblongest.so")
_lib.longest.argtypes = [ctypes.c_char_p]
_lib.longest.restype = ctypes.c_void_p  # not c_char_p: the pointer is needed to free it
_lib.longest_free.argtypes = [ctypes.c_void_p]
_lib.longest_free.restype = None


def longest(text):
    pointer = _lib.longest(text.encode("utf-8"))
    try:
        return ctypes.string_at(pointer).decode("utf-8")
    finally:
        _lib.longest_free(pointer)
```"""

SPAN = r"""Rust only says where the word lies, so nothing has to be freed:

```rust
#[no_mangle]
pub extern "C" fn longest_span(text: *const u8, length: usize, start: *mut usize, end: *mut usize) {
    let bytes: &[u8] = if length == 0 { &[] } else { unsafe { std::slice::from_raw_parts(text, length) } };
    let text = std::str::from_utf8(bytes).unwrap_or("");
    let mut best = (0usize, 0usize, 0usize);
    for word in text.split_whitespace() {
        let n = word.chars().count();
        if n > best.0 {
            let at = word.as_ptr() as usize - text.as_ptr() as usize;
            best = (n, at, at + word.len());
        }
    }
    unsafe {
        *start = best.1;
        *end = best.2;
    }
}
```"""

SPAN_GLUE = """```python
from ctypes import CDLL, POINTER, byref, c_char_p, c_size_t

rust = CDLL("./liblongest.so")
rust.longest_span.argtypes = [c_char_p, c_size_t, POINTER(c_size_t), POINTER(c_size_t)]
rust.longest_span.restype = None


def longest(text: str) -> str:
    data = text.encode()
    start, end = c_size_t(), c_size_t()
    rust.longest_span(data, len(data), byref(start), byref(end))
    return data[start.value:end.value].decode()
```"""
STATS = """import ctypes
import os

_lib = ctypes.CDLL(os.path.join(os.path.dirname(os.path.abspath(__file__)), "libstats.so"))
_lib.spread.argtypes = [ctypes.POINTER(ctypes.c_double), ctypes.c_size_t, ctypes.POINTER(ctypes.c_double)]
_lib.spread.restype = ctypes.c_int32


def spread(numbers):
    array = (ctypes.c_double * len(numbers))(*numbers)
    result = ctypes.c_double()
    if _lib.spread(array, len(numbers), ctypes.byref(result)) != 0:
        return None
    return result.value
"""

BUILD_STATS = "#!/bin/bash\nset -e\nrustc --crate-type=cdylib -C opt-level=2 stats.rs -o libstats.so\n"


def files(build, stats):
    return "```json\n" + json.dumps({"build.sh": build, "stats.py": stats}, indent=1) + "\n```"


RIGHT = {
    "TestCallRustFromPython": [
        [LONGEST, BUILD, GLUE],
        [SPAN, "Just this:\n```sh\nrustc -O --crate-type=cdylib longest.rs\n```", SPAN_GLUE],
    ],
    "TestCallRustFromPythonFiles": [
        files(BUILD_STATS, STATS),
        files(
            "rustc --crate-type cdylib --crate-name stats stats.rs",
            """from array import array
from ctypes import CDLL, byref, c_double, c_size_t, c_void_p

lib = CDLL("./libstats.so")


def spread(numbers):
    values = array("d", numbers)
    address, count = values.buffer_info()
    out = c_double()
    failed = lib.spread(c_void_p(address), c_size_t(count), byref(out))
    return None if failed else out.value
""",
        ),
    ],
}

WRONG = {
    "TestCallRustFromPython": [
        nothing,
        [LONGEST.replace("() > best", "() >= best"), BUILD, GLUE],  # the last, not the first
        [LONGEST.replace("chars().count()", "len()"), BUILD, GLUE],  # bytes, not characters
        [LONGEST, BUILD.replace("--crate-type cdylib", "--crate-type lib"), GLUE],
        [
            LONGEST,
            BUILD,
            GLUE.replace("_lib.longest_free(pointer)", "pass  # longest_free(pointer)"),
        ],  # leaks
        [LONGEST, BUILD, GLUE.replace("utf-8", "latin-1")],
    ],
    "TestCallRustFromPythonFiles": [
        nothing,
        files(BUILD_STATS, STATS.replace("c_double", "c_float")),
        files(BUILD_STATS, "# calls rust's spread\ndef spread(numbers):\n    return 12.25\n"),
        files("rustc stats.rs -o libstats.so\n", STATS),  # a program without main
        files(
            BUILD_STATS,
            "import stats_rs\n\ndef spread(numbers):\n    return stats_rs.spread(numbers) or None\n",
        ),
    ],
}
