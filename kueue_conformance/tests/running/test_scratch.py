"""Folders of processes that were killed are removed by the next one,
those of living ones and of others are not (harness/H-42).
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kueue_conformance.base.files import scratch


@pytest.fixture
def temporary_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(scratch, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    scratch.sweep.cache_clear()
    yield tmp_path
    scratch.sweep.cache_clear()


def nobody():
    """Return the number of a process that is no more."""
    process = subprocess.Popen([sys.executable, "-S", "-c", ""])
    process.wait()
    return process.pid


@pytest.mark.parametrize(
    ("name", "stays"),
    [
        ("kueue-conformance-{dead}-x", False),
        ("kueue-conformance-{living}-x", True),
        ("kueue-conformance-report", True),
        ("other-{dead}-x", True),
    ],
    ids=["of a dead process", "of a living one", "of no process", "of somebody else"],
)
def test_what_is_removed(temporary_folder, name, stays):
    path = temporary_folder / name.format(dead=nobody(), living=os.getpid())
    (path / "below").mkdir(parents=True)

    with scratch.folder():
        assert path.exists() is stays


def test_a_folder_is_known_as_ours(temporary_folder):
    with scratch.folder("subject-") as folder:
        assert scratch.is_ours(Path(folder))
    assert not scratch.is_ours(temporary_folder / "kube")
