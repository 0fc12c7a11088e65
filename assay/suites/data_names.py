"""Which files a Python file may read besides what it imports: paths written in it, worked out as far as its
text alone tells. What only a run would tell becomes a `*`."""

from __future__ import annotations

import ast
import fnmatch
import re
import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

ANY = "*"  # some name, or some text, that only a run would tell
LONGEST = 300  # characters of a path
MOST = 500  # paths of one file
IMPORTERS = ("import_module", "__import__")
NAMES = 20  # assignments followed from one expression
_TEXT = re.compile(r"[^\s*?\[\]]")
_NAMES = re.compile(r"[\w.,+@/*?\[\]-]+")
_GLOB = re.compile(r"[*?\[]")
_PUT_IN = re.compile(r"%(?:\((\w+)\))?[-+ #0]*[\d*]*(?:\.[\d*]+)?[a-zA-Z%]")  # by "%s/x" % HERE
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
    """`pattern`: a path, perhaps with the wildcards of glob; `here`: it is absolute but for the file's own
    folder, which it begins at, else it is relative to who knows what."""

    pattern: str
    here: bool


def data_names(tree: ast.AST) -> list[DataName]:
    """The paths that the file's text names, each once."""
    reader = _Reader(tree)
    found: dict[DataName, None] = {}
    for name in reader.names(tree):
        found[name] = None
        if len(found) >= MOST:
            break
    return list(found)


def importers(tree: ast.AST) -> frozenset[str]:
    """What the file calls to import by name: import_module, also under a name of its own."""
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
    """A path worked out. `file`: the last part is the file's own name, known only as `__file__`."""

    text: str
    here: bool
    file: bool = False


OWN = "\0own"  # stands for the name of the file itself, without .py


class _Reader:
    def __init__(self, tree: ast.AST) -> None:
        self._importers = importers(tree)
        self._assigned: dict[str, list[ast.expr]] = {}
        self._used = {
            node.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        }
        for node in ast.walk(tree):
            targets: list[ast.expr] = []
            if isinstance(node, ast.Assign):
                targets = node.targets
            elif isinstance(node, ast.AnnAssign) and node.value is not None:
                targets = [node.target]
            for target in targets:
                if isinstance(target, ast.Name) and node.value is not None:  # type: ignore[attr-defined]
                    self._assigned.setdefault(target.id, []).append(node.value)  # type: ignore[attr-defined]

    def names(self, node: ast.AST) -> Iterator[DataName]:
        """Of the largest expressions that are paths; what is inside such a one is part of it. A path that is
        given a name is told where the name is used."""
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
        """Of an import by a name that is put together when it runs: the files that this may be."""
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
        """The path, or text, that an expression is; None if it is neither for sure."""
        if depth > NAMES:
            return None
        if isinstance(node, ast.Constant):
            return _Path(node.value, False) if isinstance(node.value, str) else None
        if isinstance(node, ast.Name):
            return self._named(node.id, depth)
        if isinstance(node, ast.JoinedStr):
            return self._formatted(node, depth)
        if isinstance(node, ast.BinOp):
            return self._joined(node, depth)
        if isinstance(node, ast.Attribute):
            return self._attribute(node, depth)
        if isinstance(node, ast.Subscript):  # HERE.parents[1]
            inner = node.value
            if isinstance(inner, ast.Attribute) and inner.attr == "parents":
                at = node.slice.value if isinstance(node.slice, ast.Constant) else None
                return _above(self._value(inner.value, depth + 1), at + 1 if isinstance(at, int) else 1)
            return self._first_half(node, depth)
        return self._call(node, depth) if isinstance(node, ast.Call) else None

    def _named(self, name: str, depth: int) -> _Path | None:
        if name == "__file__":
            return _Path(f"{OWN}.py", True, file=True)
        values = self._assigned.get(name, [])
        return self._value(values[0], depth + 1) if len(values) == 1 else None

    def _first_half(self, node: ast.Subscript, depth: int) -> _Path | None:
        """The folder in os.path.split(path)[0], path.rsplit("/", 1)[0], path.rpartition("/")[0]."""
        its, at = node.value, node.slice
        if not (isinstance(its, ast.Call) and isinstance(its.func, ast.Attribute)) or not its.args:
            return None
        if not (isinstance(at, ast.Constant) and at.value == 0):
            return None
        if its.func.attr == "split" and len(its.args) == 1:
            found = self._value(its.args[0], depth + 1)
        elif its.func.attr == "rpartition" or (its.func.attr == "rsplit" and len(its.args) == 2):
            found = self._value(its.func.value, depth + 1)
        else:
            return None
        return _above(found, 1)

    def _joined(self, node: ast.BinOp, depth: int) -> _Path | None:
        if isinstance(node.op, ast.Mod):
            return self._percent(node, depth)
        left = self._value(node.left, depth + 1)
        right = self._value(node.right, depth + 1)
        if isinstance(node.op, ast.Div):
            if left is None:  # some folder / "name": relative to who knows what
                return right if right is not None and not right.here and right.text else None
            return _below(left, right)
        if isinstance(node.op, ast.Add) and left is not None:
            return _with(left, right.text if right is not None else ANY)
        return None

    def _formatted(self, node: ast.JoinedStr, depth: int) -> _Path:
        """f"{HERE}/data/{name}.txt"."""
        parts: list[str | ast.expr | None] = []
        for each in node.values:
            is_text = isinstance(each, ast.Constant)
            parts.append(str(each.value) if is_text else getattr(each, "value", None))  # type: ignore[attr-defined]
        return self._put_together(parts, depth)

    def _percent(self, node: ast.BinOp, depth: int) -> _Path | None:
        """ "%s/data/%d.txt" % (HERE, n)."""
        text = node.left.value if isinstance(node.left, ast.Constant) else None
        if not isinstance(text, str):
            return None
        given = list(node.right.elts) if isinstance(node.right, ast.Tuple) else [node.right]
        parts: list[str | ast.expr | None] = []
        end = 0
        for found in _PUT_IN.finditer(text):
            parts.append(text[end : found.start()])
            end = found.end()
            if found[0].endswith("%"):
                parts.append("%")
            else:  # by its place, unless it is named
                parts.append(given.pop(0) if given and not found[1] else None)
        return self._put_together([*parts, text[end:]], depth)

    def _format(self, node: ast.Call, depth: int) -> _Path | None:
        """ "{}/data/{name}.txt".format(HERE, name=name)."""
        text = node.func.value.value  # type: ignore[attr-defined]
        named = {each.arg: each.value for each in node.keywords}
        given, parts = list(node.args), list[str | ast.expr | None]()
        try:
            pieces = list(string.Formatter().parse(text))
        except ValueError:
            return None
        for before, field, _, _ in pieces:
            parts.append(before)
            if field == "":
                parts.append(given.pop(0) if given else None)
            elif field is not None:
                at = int(field) if field.isdecimal() else len(node.args)
                parts.append(node.args[at] if at < len(node.args) else named.get(field))
        return self._put_together(parts, depth)

    def _put_together(self, parts: list[str | ast.expr | None], depth: int) -> _Path:
        """What is put in is any text, but for a folder that it begins with."""
        first, *others = [each for each in parts if each != ""] or [""]
        rest = "".join(each if isinstance(each, str) else ANY for each in others)
        if isinstance(first, ast.expr):
            found = self._value(first, depth + 1)
            if found is not None and found.here:
                return _with(found, re.sub(r"\*+", ANY, rest))
        return _Path(re.sub(r"\*+", ANY, (first if isinstance(first, str) else ANY) + rest), False)

    def _attribute(self, node: ast.Attribute, depth: int) -> _Path | None:
        inner = self._value(node.value, depth + 1)
        if inner is None or not inner.here:
            return None
        if node.attr == "parent":
            return _above(inner, 1)
        name = inner.text.rpartition("/")[2]
        if node.attr == "name":
            return _Path(name, False)
        return _Path(_split(name)[0], False) if node.attr == "stem" else None

    def _spread(self, given: Sequence[ast.expr], depth: int = 0) -> Iterator[ast.expr]:
        """Arguments one by one, those of a list that is written out too; `**` stands for any number."""
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
            return self._format(node, depth)
        given = [self._value(each, depth + 1) for each in self._spread(node.args)]
        if name in ("Path", "PurePath", "join"):  # Path(a, b), os.path.join(a, b)
            if not given or given[0] is None or (name == "join" and _is_text(node)):
                return None
            return _all_below(given[0], given[1:])
        if name in ("dirname",) and given and given[0] is not None:
            return _above(given[0], 1) if given[0].here else None
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


def _split(name: str) -> tuple[str, str]:
    """Stem and suffix."""
    stem, dot, suffix = name.rpartition(".")
    return (stem, dot + suffix) if stem else (name, "")


def _is_text(node: ast.Call) -> bool:
    """Whether a call is that of a method of a text: ", ".join(...)."""
    inner = node.func.value if isinstance(node.func, ast.Attribute) else None
    return isinstance(inner, ast.Constant) and isinstance(inner.value, str)


def _with(path: _Path, text: str) -> _Path:
    """The path with the text written behind it. That of the file's own folder is '': a slash ends it."""
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
    """The folder that holds it. Of the file's own folder: "..", as often as need be."""
    if path is None or not path.here:
        return None
    parts = [each for each in path.text.split("/") if each]
    for _ in range(min(times, 20)):
        parts = parts[:-1] if parts and parts[-1] != ".." else [*parts, ".."]
    return _Path("/".join(parts), True)


def _looks_like_path(text: str) -> bool:
    """Of a text put together, or with wildcards: nothing but what names have, and either a suffix, or a slash
    behind a name."""
    return (
        0 < len(text) <= LONGEST
        and _NAMES.fullmatch(text) is not None
        and _TEXT.search(text) is not None
        and (re.search(r"\.\w{1,5}$", text) is not None or re.match(r"[\w.-]+/", text) is not None)
    )


def is_pattern(text: str) -> bool:
    return _GLOB.search(text) is not None


def matches(path: str, pattern: str) -> bool:
    """Whether a path is what a pattern means, or lies below it. `*` does not cross a slash, `**` does.

    >>> matches("/a/b.txt", "/a/*.txt"), matches("/a/c/b.txt", "/a/*.txt"), matches("/a/c/b", "/a/c")
    (True, False, True)
    """
    own, wanted = path.strip("/").split("/"), [each for each in pattern.strip("/").split("/") if each]
    return _match(own, wanted)


def _match(own: list[str], wanted: list[str]) -> bool:
    reached = {0}  # how many parts of the pattern are used up
    for name in own:
        if len(wanted) in reached:
            return True  # it lies below
        following = set()
        for at in reached:
            while at < len(wanted) and wanted[at] == "**":
                following.add(at)
                at += 1
            if at < len(wanted) and fnmatch.fnmatchcase(name, wanted[at]):
                following.add(at + 1)
        reached = following
    return any(all(each == "**" for each in wanted[at:]) for at in reached)
