"""Files on this machine: whole or as they were,
and private where keys and Secrets are in them (issue 16, 14 and 17).
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fakecluster import FakeCluster
from fakecluster.base import files
from fakecluster.cluster.snapshots import save
from fakecluster.front import Front
from fakecluster.recording import transcript


@pytest.fixture(scope="module")
def cluster():
    with FakeCluster(controllers="none", tls=False) as fake_cluster:
        yield fake_cluster


def mode(path):
    return oct(path.stat().st_mode & 0o777)


@pytest.fixture
def readable(tmp_path):
    """A file that others may read already."""
    file = tmp_path / "file"
    file.write_text("old")
    file.chmod(0o644)
    return file


PRIVATE = [
    pytest.param(lambda cluster, path: cluster.kubeconfig(path), id="kubeconfig"),
    pytest.param(lambda cluster, path: save(cluster.snapshot(), path), id="saved state"),
    pytest.param(lambda cluster, path: transcript.write(path, []), id="transcript"),
    pytest.param(lambda cluster, path: _front(cluster, path), id="kubeconfig of a front"),
    pytest.param(lambda cluster, path: files.stream(path, private=True).close(), id="journal"),
]


@pytest.mark.parametrize("write", PRIVATE)
def test_a_file_that_others_could_read_is_private_afterwards(cluster, readable, write):
    with readable.open() as reader:
        write(cluster, readable)

        assert mode(readable) == "0o600"
        assert reader.read() == "old"
    assert readable.read_bytes() != b"old"


@pytest.mark.parametrize("write", PRIVATE)
def test_a_new_file_is_private_from_its_first_moment(cluster, tmp_path, monkeypatch, write):
    modes, opened = [], os.open

    def noted(path, flags, mode=0o777, **options):
        modes.extend([mode] if flags & os.O_CREAT else [])
        return opened(path, flags, mode, **options)

    monkeypatch.setattr(os, "open", noted)

    write(cluster, tmp_path / "new")

    assert set(modes) == {0o600}


@pytest.mark.parametrize("write", PRIVATE[:4])
def test_a_write_that_fails_leaves_the_old_file(cluster, readable, monkeypatch, write):
    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="No space left"):
        write(cluster, readable)

    assert readable.read_text() == "old"
    assert list(readable.parent.iterdir()) == [readable]


def test_a_file_for_everybody_keeps_its_mode(readable):
    readable.chmod(0o755)
    files.write(readable, b"new")

    assert (mode(readable), readable.read_text()) == ("0o755", "new")


def test_a_link_stays_one(readable, tmp_path):
    (tmp_path / "link").symlink_to(readable)
    files.write(tmp_path / "link", b"new", private=True)

    assert (tmp_path / "link").is_symlink()
    assert readable.read_text() == "new"


def test_a_device_is_written_to_and_stays(tmp_path):
    files.write(Path(os.devnull), b"new", private=True)

    assert Path(os.devnull).is_char_device()


@pytest.mark.parametrize("where", ["", "missing/file"], ids=["folder", "missing folder"])
def test_what_cannot_be_written_is_named(tmp_path, where):
    with pytest.raises(OSError) as caught:
        files.write(tmp_path / where, b"new")

    assert caught.value.filename == str(tmp_path / where) or caught.value.filename == tmp_path / where


def _front(cluster, path):
    cluster.kubeconfig(behind := path.with_name("behind"))
    front = Front.of_kubeconfig(behind)
    behind.unlink()
    front.kubeconfig(path)
