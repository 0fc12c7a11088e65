def nothing(messages):
    return ""


SHORT = r"""```python
import traceback
from itertools import groupby


def short_traceback(exc):
    lines = []
    if exc.__cause__ is not None:
        lines += [short_traceback(exc.__cause__), "-> cause"]
    elif exc.__context__ is not None and not exc.__suppress_context__:
        lines += [short_traceback(exc.__context__), "-> context"]
    frames = []
    for frame in traceback.extract_tb(exc.__traceback__):
        text = f"{frame.name}:{frame.lineno}"
        frames.append(f"{text}: {frame.line.strip()}" if frame.line else text)
    for text, group in groupby(frames):
        count = len(list(group))
        lines.append(f"{text} (x{count})" if count > 1 else text)
    message = str(exc)
    name = type(exc).__name__
    lines.append(f"{name}: {message}" if message else name)
    return "\n".join(lines)
```"""

RIGHT = {
    "TestPythonTraceback": [
        f"Two attributes and a flag decide about the chain:\n\n{SHORT}",
        r"""```python
import linecache


def _one(exc):
    out = []
    tb = exc.__traceback__
    last, times = None, 0

    def flush():
        if last is not None:
            out.append(last if times == 1 else "%s (x%d)" % (last, times))

    while tb is not None:
        code = tb.tb_frame.f_code
        entry = "%s:%d" % (code.co_name, tb.tb_lineno)
        source = linecache.getline(code.co_filename, tb.tb_lineno, tb.tb_frame.f_globals).strip()
        if source:
            entry += ": " + source
        if entry == last:
            times += 1
        else:
            flush()
            last, times = entry, 1
        tb = tb.tb_next
    flush()
    out.append(": ".join(part for part in (type(exc).__name__, str(exc)) if part))
    return out


def short_traceback(exc):
    chain = []
    while exc is not None:
        if exc.__cause__:
            chain.append((exc, "-> cause"))
            exc = exc.__cause__
        elif exc.__context__ and not exc.__suppress_context__:
            chain.append((exc, "-> context"))
            exc = exc.__context__
        else:
            chain.append((exc, None))
            exc = None
    lines = []
    for error, arrow in reversed(chain):
        if arrow:
            lines.append(arrow)
        lines.extend(_one(error))
    return "\n".join(lines)
```""",
    ]
}

WRONG = {
    "TestPythonTraceback": [
        nothing,
        SHORT.replace(" and not exc.__suppress_context__", ""),  # shows what "from None" hides
        SHORT.replace("extract_tb(exc.__traceback__)", "extract_stack()"),
        SHORT.replace("for text, group in groupby(frames)", "for text, group in ((f, [f]) for f in frames)"),
        # from the inside out
        SHORT.replace("extract_tb(exc.__traceback__)", "extract_tb(exc.__traceback__)[::-1]"),
        SHORT.replace(
            "exc.__cause__ is not None", "exc.__context__ is not None and exc.__cause__"
        ),  # not in replaced
        SHORT.replace(" if frame.line else text", ""),
        "```python\nimport traceback\n\ndef short_traceback(exc):\n    # frames, then -> cause or -> context\n"
        "    return ''.join(traceback.format_exception(exc)).strip()\n```",
    ]
}
WRONG["TestPythonTraceback"][5] = SHORT.replace(
    'lines += [short_traceback(exc.__context__), "-> context"]', "pass"
)
