"""The files that a Python file may read besides its imports: paths in its text, evaluated as far as the text
alone tells. A part that only a run would tell becomes a `*`."""

from __future__ import annotations

import ast
import fnmatch
import re
import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeGuard

ANY = "*"  # an unknown name or text
LONGEST = 300  # characters of a path
MOST = 500  # paths of one file
IMPORTERS = ("import_module", "__import__")
NAMES = 20  # assignments that are followed from one expression
_TEXT = re.compile(r"[^\s*?\[\]]")
_NAMES = re.compile(r"[\w.,+@/*?\[\]-]+")
_GLOB = re.compile(r"[*?\[]")
_PUT_IN = re.compile(r"%(?:\((\w+)\))?[-+ #0]*[\d*]*(?:\.[\d*]+)?[a-zA-Z%]")  # for "%s/x" % HERE
_FOLLOWED = [
    "resolve",
    "absolute",
    "expanduser",
    "as_posix",
    "abspath",
    "realpath",
    "normpath",
    "str",
    "fspath",
]


@dataclass(frozen=True)
class DataName:
    """`pattern`: a path, perhaps with glob wildcards. `here`: it starts at the file's own folder; otherwise
    it is relative to an unknown folder."""

    pattern: str
    here: bool


def data_names(tree: ast.AST) -> list[DataName]:
    """The paths named in the file's text, each once."""
    reader = _Reader(tree)
    found: dict[DataName, None] = {}
    for name in reader.names(tree):
        found[name] = None
        if len(found) >= MOST:
            break
    return list(found)


def importers(tree: ast.AST) -> frozenset[str]:
    """The names under which the file calls import_module."""
    renamed = {
        alias.asname
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "importlib"
        for alias in node.names
        if alias.name == "import_module" and alias.asname
    }
    return frozenset({*IMPORTERS, *renamed})


@dataclass(frozen=True)
class _Path:
    """An evaluated path. `file`: its last part is the file's own name, known only as `__file__`."""

    text: str
    here: bool
    file: bool = False


OWN = "\0own"  # stands for the name of the file itself, without .py


class _Reader:
    def __init__(self, tree: ast.AST) -> None:
        self._importers = importers(tree)
        self._assigned: dict[str, list[ast.expr]] = {}
        self._used: set[str] = set()
        for node in ast.walk(tree):
            match node:
                case ast.Name(id=name, ctx=ast.Load()):
                    self._used.add(name)
                case ast.Assign(targets=targets, value=value):
                    for target in targets:
                        if isinstance(target, ast.Name):
                            self._assigned.setdefault(target.id, []).append(value)
                case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                    self._assigned.setdefault(name, []).append(value)

    def names(self, node: ast.AST) -> Iterator[DataName]:
        """The paths in the largest expressions that are paths; their parts are not listed again. A path
        assigned to a name is listed where the name is used."""
        if isinstance(node, ast.Assign) and self._is_told_later(node):
            return
        if isinstance(node, ast.Call) and (found_module := self._module(node)) is not None:
            yield found_module
            return
        if isinstance(node, ast.expr):
            found = self._value(node, 0)
            if found is not None and self._is_named(node, found):
                yield DataName(found.text[:LONGEST], found.here)
                return
        for child in ast.iter_child_nodes(node):
            yield from self.names(child)

    def _is_told_later(self, node: ast.Assign) -> bool:
        (target, *others) = node.targets
        if others or not isinstance(target, ast.Name) or target.id not in self._used:
            return False
        found = self._value(node.value, 0)
        return found is not None and found.here and len(self._assigned[target.id]) == 1

    def _module(self, node: ast.Call) -> DataName | None:
        """The files that an import by a computed name may load."""
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name not in self._importers or not node.args or isinstance(node.args[0], ast.Constant):
            return None
        found = self._value(node.args[0], 0)
        if found is None or found.here or not _TEXT.search(found.text):
            return DataName("**/*.py", True)
        return DataName(found.text.strip(".").replace(".", "/") + ".py", False)

    def _is_named(self, node: ast.expr, found: _Path) -> bool:
        if found.here:
            return not found.file  # the file itself
        if isinstance(node, ast.Name):
            return False
        together = isinstance(node, ast.JoinedStr | ast.BinOp | ast.Call)
        if (together or is_pattern(found.text)) and not _looks_like_path(found.text):
            return False
        return 0 < len(found.text) <= LONGEST and "\n" not in found.text and "\0" not in found.text

    def _value(self, node: ast.expr, depth: int) -> _Path | None:
        """The path or text that an expression evaluates to; None if it is not certainly one."""
        if depth > NAMES:
            return None
        deeper = depth + 1
        match node:
            case ast.Constant(value=str(text)):
                return _Path(text, False)
            case ast.Name(id="__file__"):
                return _Path(f"{OWN}.py", True, file=True)
            case ast.Name(id=name):
                values = self._assigned.get(name, [])
                return self._value(values[0], deeper) if len(values) == 1 else None
            case ast.JoinedStr(values=values):  # f"{HERE}/data/{name}.txt"
                return self._put_together([_part(each) for each in values], depth)
            case ast.BinOp(op=ast.Mod(), left=left, right=right):
                return self._percent(str(left.value), right, depth) if _is_string(left) else None
            case ast.BinOp(op=ast.Div() | ast.Add() as sign, left=left, right=right):
                return _joined(sign, self._value(left, deeper), self._value(right, deeper))
            case ast.Attribute(value=inner, attr=attribute):
                return _attribute(self._value(inner, deeper), attribute)
            case ast.Subscript(value=ast.Attribute(value=inner, attr="parents"), slice=at):  # HERE.parents[1]
                times = at.value + 1 if isinstance(at, ast.Constant) and isinstance(at.value, int) else 1
                return _above(self._value(inner, deeper), times)
            # The folder in os.path.split(path)[0], path.rpartition("/")[0], path.rsplit("/", 1)[0]
            case ast.Subscript(
                value=ast.Call(func=ast.Attribute(attr="split"), args=[path]), slice=ast.Constant(value=0)
            ):
                return _above(self._value(path, deeper), 1)
            case ast.Subscript(
                value=ast.Call(
                    func=ast.Attribute(value=path, attr="rpartition" | "rsplit" as way), args=[_, *more]
                ),
                slice=ast.Constant(value=0),
            ) if way == "rpartition" or len(more) == 1:
                return _above(self._value(path, deeper), 1)
            case ast.Call():
                return self._call(node, depth)
        return None

    def _percent(self, text: str, right: ast.expr, depth: int) -> _Path:
        """ "%s/data/%d.txt" % (HERE, n)."""
        given = list(right.elts) if isinstance(right, ast.Tuple) else [right]
        parts: list[str | ast.expr | None] = []
        end = 0
        for found in _PUT_IN.finditer(text):
            parts.append(text[end : found.start()])
            end = found.end()
            if found[0].endswith("%"):
                parts.append("%")
            else:  # by position, unless it is named
                parts.append(given.pop(0) if given and not found[1] else None)
        return self._put_together([*parts, text[end:]], depth)

    def _format(self, text: str, node: ast.Call, depth: int) -> _Path | None:
        """ "{}/data/{name}.txt".format(HERE, name=name)."""
        named: dict[str | None, ast.expr] = {each.arg: each.value for each in node.keywords}
        given, parts = iter(node.args), list[str | ast.expr | None]()
        try:
            pieces = list(string.Formatter().parse(text))
        except ValueError:
            return None
        for before, field, _, _ in pieces:
            parts.append(before)
            if field == "":
                parts.append(next(given, None))
            elif field is not None:
                by_place = dict(enumerate(node.args))
                parts.append(by_place.get(int(field)) if field.isdecimal() else named.get(field))
        return self._put_together(parts, depth)

    def _put_together(self, parts: list[str | ast.expr | None], depth: int) -> _Path:
        """The joined text; inserted parts may be any text, except a folder at the beginning."""
        first, *others = [each for each in parts if each != ""] or [""]
        rest = "".join(each if isinstance(each, str) else ANY for each in others)
        if isinstance(first, ast.expr):
            found = self._value(first, depth + 1)
            if found is not None and found.here:
                return _with(found, re.sub(r"\*+", ANY, rest))
        return _Path(re.sub(r"\*+", ANY, (first if isinstance(first, str) else ANY) + rest), False)

    def _spread(self, given: Sequence[ast.expr], depth: int = 0) -> Iterator[ast.expr]:
        """The arguments one by one, including those of a literal list; `**` stands for any number."""
        for each in given:
            if not isinstance(each, ast.Starred):
                yield each
                continue
            its = each.value
            if isinstance(its, ast.Name) and len(values := self._assigned.get(its.id, [])) == 1:
                (its,) = values
            if isinstance(its, ast.List | ast.Tuple) and depth < NAMES:
                yield from self._spread(its.elts, depth + 1)
            else:
                yield ast.Constant("**")

    def _call(self, node: ast.Call, depth: int) -> _Path | None:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name == "format" and _is_text(node):
            return self._format(node.func.value.value, node, depth)  # type: ignore[attr-defined]
        given = [self._value(each, depth + 1) for each in self._spread(node.args)]
        if name in ("Path", "PurePath", "join"):  # Path(a, b), os.path.join(a, b)
            if not given or given[0] is None or (name == "join" and _is_text(node)):
                return None
            return _all_below(given[0], given[1:])
        if name == "Files" and given and given[0] is not None:  # beside the file that says it
            return _below(_Path("", True), given[0]) if not given[0].here else given[0]
        if name == "dirname" and given and given[0] is not None:
            return _above(given[0], 1)
        if name in _FOLLOWED and given and given[0] is not None and given[0].here:
            return given[0]
        inner = self._value(node.func.value, depth + 1) if isinstance(node.func, ast.Attribute) else None
        if inner is None or not inner.here:
            return None
        if name in _FOLLOWED:
            return inner
        first = given[0].text if given and given[0] is not None else ANY
        if name == "joinpath":
            return _all_below(inner, given)
        if name in ("glob", "rglob"):
            deep = "**/" if name == "rglob" else ""
            return _below(inner, _Path(f"{deep}{first}", False))
        if name in ("iterdir", "walk"):
            return _below(inner, _Path("**" if name == "walk" else ANY, False))
        folder, _, own = inner.text.rpartition("/")
        stem = _split(own)[0]
        changed = {
            "with_name": first, "with_suffix": f"{stem}{first}",
            "with_stem": first + _split(own)[1],
        }.get(name)  # fmt: skip
        return None if changed is None else _Path(f"{folder}/{changed}" if folder else changed, True)


def _part(value: ast.expr) -> str | ast.expr | None:
    """A part of an f-string: a text, or an inserted expression."""
    return str(value.value) if isinstance(value, ast.Constant) else getattr(value, "value", None)


def _joined(sign: ast.operator, left: _Path | None, right: _Path | None) -> _Path | None:
    if isinstance(sign, ast.Add):
        return None if left is None else _with(left, right.text if right is not None else ANY)
    if left is None:  # unknown folder / "name": relative to an unknown folder
        return right if right is not None and not right.here and right.text else None
    return _below(left, right)


def _attribute(path: _Path | None, name: str) -> _Path | None:
    if path is None or not path.here:
        return None
    if name == "parent":
        return _above(path, 1)
    own = path.text.rpartition("/")[2]
    return {"name": _Path(own, False), "stem": _Path(_split(own)[0], False)}.get(name)


def _split(name: str) -> tuple[str, str]:
    """Stem and suffix."""
    stem, dot, suffix = name.rpartition(".")
    return (stem, dot + suffix) if stem else (name, "")


def _is_text(node: ast.Call) -> bool:
    """Whether a call is of a text's method: ", ".join(...)."""
    return isinstance(node.func, ast.Attribute) and _is_string(node.func.value)


def _is_string(node: ast.expr) -> TypeGuard[ast.Constant]:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _with(path: _Path, text: str) -> _Path:
    """The path with the text appended. The file's own folder is '', and a slash ends it."""
    return _Path(path.text + text if path.text else text.lstrip("/") if path.here else text, path.here)


def _below(left: _Path, right: _Path | None) -> _Path:
    name = ANY if right is None or right.here else right.text
    if name.startswith("/"):
        return _Path(name, False)
    return _Path(f"{left.text}/{name}" if left.text else name, left.here)


def _all_below(first: _Path, rest: list[_Path | None]) -> _Path:
    for each in rest:
        first = _below(first, each)
    return first


def _above(path: _Path | None, times: int) -> _Path | None:
    """The parent folder. Of the file's own folder: "..", as often as needed."""
    if path is None or not path.here:
        return None
    parts = [each for each in path.text.split("/") if each]
    for _ in range(min(times, 20)):
        parts = parts[:-1] if parts and parts[-1] != ".." else [*parts, ".."]
    return _Path("/".join(parts), True)


def _looks_like_path(text: str) -> bool:
    """Whether a computed text, or one with wildcards, looks like a path: only characters of names, and either
    a suffix or a slash after a name."""
    return (
        0 < len(text) <= LONGEST
        and _NAMES.fullmatch(text) is not None
        and _TEXT.search(text) is not None
        and (re.search(r"\.\w{1,5}$", text) is not None or re.match(r"[\w.-]+/", text) is not None)
    )


def is_pattern(text: str) -> bool:
    return _GLOB.search(text) is not None


def matches(path: str, pattern: str) -> bool:
    """Whether a path matches a pattern, or lies below a match. `*` does not cross a slash, `**` does.

    >>> matches("/a/b.txt", "/a/*.txt"), matches("/a/c/b.txt", "/a/*.txt"), matches("/a/c/b", "/a/c")
    (True, False, True)
    """
    own, wanted = path.strip("/").split("/"), [each for each in pattern.strip("/").split("/") if each]
    return _match(own, wanted)


def _match(own: list[str], wanted: list[str]) -> bool:
    reached = {0}  # how many parts of the pattern have matched
    for name in own:
        if len(wanted) in reached:
            return True  # it lies below a match
        following = set()
        for at in reached:
            while at < len(wanted) and wanted[at] == "**":
                following.add(at)
                at += 1
            if at < len(wanted) and fnmatch.fnmatchcase(name, wanted[at]):
                following.add(at + 1)
        reached = following
    return any(all(each == "**" for each in wanted[at:]) for at in reached)
