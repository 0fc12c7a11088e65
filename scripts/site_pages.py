"""What the site (mkdocs.yml) shows beside docs/: the pages at the top of the repository, README first.

Links between them and docs/ are rewritten; a page reads the same on the site and in the repository.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parent.parent
TOP = ("README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "LICENSE")
FROM_OR_TO_TOP = re.compile(r"\]\((?:docs/|\.\./(?=[A-Z]))")
# A block that is a file: the site shows the file's name above it.
NAMED = re.compile(r"^(`{3,})(\w+) ([\w./-]+)(?: [^\n]*)?$", re.MULTILINE)
# GitHub wants a | in a table escaped even in code, where Python-Markdown would show the backslash.
ESCAPED = re.compile(r"^\|.*\\\|.*$", re.MULTILINE)
CODE = re.compile(r"`[^`\n]+`")


def on_files(files: Files, config: Any) -> Files:
    for name in TOP:
        page = name.replace("README", "index")
        files.append(File.generated(config, page, content=(ROOT / name).read_text("utf-8")))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    markdown = FROM_OR_TO_TOP.sub("](", markdown).replace("](README.md", "](index.md")
    markdown = ESCAPED.sub(lambda row: CODE.sub(lambda code: code[0].replace(r"\|", "|"), row[0]), markdown)
    return NAMED.sub(r'\1\2 title="\3"', markdown)
