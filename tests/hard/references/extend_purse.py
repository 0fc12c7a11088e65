"""Right and wrong work on extend_purse: the extended program, whole or with one rule less."""

from __future__ import annotations

from evaluator import Call, Script

from ..extend_purse import FOLDER


def _work(*changes: tuple[str, str, str]) -> Script:
    files = {
        path.name: path.read_text(encoding="utf-8")
        for path in sorted((FOLDER / "right" / "purse").glob("*.py"))
    }
    for name, old, new in changes:
        assert files[name].count(old) == 1, (name, old)
        files[name] = files[name].replace(old, new)
    return Script(
        "\n".join(f"cat > purse/{name} <<'END_OF_FILE'\n{text}END_OF_FILE" for name, text in files.items())
    )


def right(seed: int) -> list[Script]:
    return [_work()]


def wrong(seed: int) -> list[object]:
    return [
        _work(("commands.py", "        entries.convert_anew(self.data, code, day, following)\n", "")),
        _work(("entries.py", 'if entry["void"] or entry["fixed"] or', 'if entry["fixed"] or')),
        _work(("entries.py", "        if accounts.balance(data, name) != before[name]:", "        if False:")),
        _work(("roles.py", "math.ceil(", "round(")),
        _work(("storage.py", '    if data["currencies"]:', "    if True:")),
        _work(("commands.py", '"currency", "rate", "drop", "convert")', '"currency", "drop", "convert")')),
        _work(("money.py", "        if dates.month_of(day) <= month and", "        if dates.month_of(day) == month and")),
        _work(("money.py", "round(exact(data, units, source, target, day))", "int(exact(data, units, source, target, day) + Fraction(1, 2))")),
        _work(("money.py", 'return f"{code} {text}" if locale == "ch" else', "return")),
        _work(("reports.py", "money.convert(data, units, code, money.BASE, day)", "money.convert(data, units, code, money.BASE, end)")),
        _work(("entries.py", 'entry[side], entry["fixed"] = amount, not (source and target)', "entry[side] = amount")),
        [Call("shell", command="cat README.md NEXT.md"), "It has currencies now."],
    ]  # fmt: skip
