"""Task folders, written for one test."""

TASK = "[environment]\nallow_internet = false\n"


def write_task(
    folder, toml=TASK, *, instruction="Mend it.\n", dockerfile="FROM debian\n", test="exit 0\n", files=()
):
    """A task folder; a part that is None is left out. `files`: further ones, path -> text."""
    parts = {
        "task.toml": toml,
        "instruction.md": instruction,
        "environment/Dockerfile": dockerfile,
        "tests/test.sh": test,
        **dict(files),
    }
    for name, text in parts.items():
        if text is not None:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    return folder
