"""What a record tells of the files that a test puts into the sandbox."""

from assay.language.given_files import given_files
from assay.report.explanation import Pictures, as_data, pieces, walk
from assay.report.steps import lines_of
from evaluator import Files
from testing.language.pipeline import run_in_sandbox


def plain(*files):
    return [(name, 0o644, content) for name, content in files]


def test_every_file_is_a_line_with_its_text_folded_below_it(tmp_path):
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "go.sh").write_text("echo ran\n")
    (tmp_path / "app" / "go.sh").chmod(0o755)
    (tmp_path / "app" / "a.bin").write_bytes(b"\xff\0")
    (tmp_path / "app" / "empty").write_text("")
    ran = run_in_sandbox("x" >> Files(tmp_path / "app"))
    (group,) = (each for block in ran.blocks for _, each in walk(block) if each.role == "files")
    assert group.title == "3 files of app/: 11 bytes" and not group.folded
    assert [
        (each.title, each.folded, [child.body for child in each.children]) for each in group.children
    ] == [
        ("a.bin: binary, 2 bytes", True, []),
        ("empty: 0 bytes", True, []),
        ("go.sh: 9 bytes, executable", True, ["echo ran\n"]),
    ]
    shown = [line.text.strip() for line in lines_of(group)]
    assert shown == ["3 files of app/: 11 bytes", *(each.title for each in group.children)]


def test_many_and_long_files_are_told_within_limits():
    many = plain(*((f"{n}.txt", ("é" * 9_999).encode()) for n in range(400)))
    group = given_files("", many)
    kept = [child.body for each in group.children for child in each.children]
    assert group.folded and group.title == "400 files: 7,999 kB"
    assert sum(map(len, kept)) < 41_000
    assert kept[0] == "é" * 4000 + "\n[... 12 kB more]"
    rest = group.children[-1].body.splitlines()
    assert rest[0] == "20.txt: 20 kB" and len(rest) == 201 and rest[-1] == "and 180 more files"


def test_hostile_names_and_texts_are_text():
    name, text = "a\n<script>.py", b"\x1b[31m</script><script>alert(1)</script>\n"
    group = given_files("", plain((name, text)))
    assert group.children[0].title == f"a <script>.py: {len(text)} bytes"
    found = as_data(pieces(group, Pictures()))
    assert "\x1b" not in str(found) and [each["kind"] for each in found].count("round") == 1
