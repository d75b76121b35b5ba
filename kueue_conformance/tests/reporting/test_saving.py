"""A file is put in its place whole, or what was there stays."""

import os
import stat

import pytest

from kueue_conformance.base.errors import EnvironmentProblem
from kueue_conformance.base.files.saving import make_folder, save


def test_what_was_there_stays_when_it_cannot_be_written(tmp_path, monkeypatch):
    file = tmp_path / "report.yaml"
    save(file, "old")
    monkeypatch.setattr(os, "fdopen", _full)

    with pytest.raises(EnvironmentProblem, match="cannot be written: No space left on device"):
        save(file, "new")

    assert (file.read_text(), [file_in_folder.name for file_in_folder in tmp_path.iterdir()]) == (
        "old",
        ["report.yaml"],
    )


def _full(descriptor, mode):
    os.close(descriptor)
    raise OSError(28, "No space left on device")


def test_a_link_is_replaced_and_what_it_leads_to_stays(tmp_path):
    other, link = tmp_path / "others", tmp_path / "report.yaml"
    other.write_text("theirs")
    link.symlink_to(other)

    save(link, "ours")

    assert (other.read_text(), link.read_text(), link.is_symlink()) == ("theirs", "ours", False)


def test_a_private_file_is_its_owners_alone_also_where_an_open_one_was(tmp_path):
    file = tmp_path / "b.zip"
    file.write_text("old")
    file.chmod(0o644)

    save(file, b"new", private=True)

    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_pipe_is_written_to_and_stays_one(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)

    save(pipe, "told")

    assert (os.read(reader, 9), pipe.is_fifo()) == (b"told", True)
    os.close(reader)


def test_a_folder_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "file").touch()

    with pytest.raises(EnvironmentProblem, match="cannot be written: Not a directory"):
        make_folder(tmp_path / "file" / "reports")
