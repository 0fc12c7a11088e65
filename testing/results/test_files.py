"""A file is replaced in one step, or what stood there stays."""

import errno
import os

import pytest

from assay.files import LEFT_OVER, replace_file, replacing


def test_a_file_is_replaced_with_its_mode(tmp_path):
    path = tmp_path / "file"
    path.write_text("old")
    replace_file(path, b"new", mode=0o600, sync=True)
    assert path.read_bytes() == b"new" and path.stat().st_mode & 0o777 == 0o600
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "full"), KeyboardInterrupt()])
def test_what_stood_there_stays_if_the_new_one_is_not_whole(tmp_path, error):
    path = tmp_path / "file"
    path.write_text("old")
    with pytest.raises(type(error)), replacing(path) as part:
        part.write_text("half")
        assert LEFT_OVER.fullmatch(part.name)
        raise error
    assert path.read_text() == "old" and [each.name for each in tmp_path.iterdir()] == ["file"]


def test_nothing_is_written_through_a_link_beside_it(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "urandom", bytes)
    (tmp_path / "secret").write_text("kept")
    (tmp_path / ".file.0.part").symlink_to(tmp_path / "secret")
    with pytest.raises(FileExistsError):
        replace_file(tmp_path / "file", b"new")
    assert (tmp_path / "secret").read_text() == "kept"
