"""What `fakecluster record` writes is readable by its user alone, from the first byte on."""

import os
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from fakecluster import FakeCluster
from fakecluster.cli import recording

OUTPUTS = ("run", "proxy")


@pytest.fixture(scope="module")
def cluster():
    with FakeCluster(controllers="none", tls=False) as cluster:
        yield cluster


@pytest.fixture
def record(cluster, tmp_path, monkeypatch):
    """Record for a moment, and return the modes of the files while it lasts."""

    def record():
        modes = {}
        noted = SimpleNamespace(wait=lambda: modes.update({name: _mode(tmp_path / name) for name in OUTPUTS}))
        monkeypatch.setattr(recording, "on_signal", lambda: noted)
        cluster.kubeconfig(tmp_path / "cluster")
        options = (("--kubeconfig", "cluster"), ("--transcript", "run"), ("--proxy-kubeconfig", "proxy"))
        arguments = [word for option, name in options for word in (option, str(tmp_path / name))]
        done = CliRunner().invoke(recording.record, arguments, catch_exceptions=False)
        assert done.exit_code == 0
        return modes

    return record


def _mode(path):
    return oct(path.stat().st_mode & 0o777)


def test_transcript_and_kubeconfig_are_private_while_it_records(record):
    assert record() == dict.fromkeys(OUTPUTS, "0o600")


def test_transcript_and_kubeconfig_are_made_private(record, tmp_path, monkeypatch):
    modes, opened = [], os.open

    def noted(path, flags, mode=0o777, **options):
        modes.extend([mode] if flags & os.O_CREAT and str(path).startswith(str(tmp_path)) else [])
        return opened(path, flags, mode, **options)

    monkeypatch.setattr(os, "open", noted)
    record()

    assert set(modes) == {0o600}
