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
def place(tmp_path, monkeypatch):
    monkeypatch.setattr(scratch, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    scratch.sweep.cache_clear()
    yield tmp_path
    scratch.sweep.cache_clear()


def nobody():
    """Return the number of a process that is no more."""
    one = subprocess.Popen([sys.executable, "-S", "-c", ""])
    one.wait()
    return one.pid


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
def test_what_is_removed(place, name, stays):
    found = place / name.format(dead=nobody(), living=os.getpid())
    (found / "below").mkdir(parents=True)

    with scratch.folder():
        assert found.exists() is stays


def test_a_folder_is_known_as_ours(place):
    with scratch.folder("subject-") as made:
        assert scratch.is_ours(Path(made))
    assert not scratch.is_ours(place / "kube")
