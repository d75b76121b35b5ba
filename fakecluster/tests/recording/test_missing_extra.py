"""`fakecluster record` where the extra `recording` is not installed."""

import sys

from click.testing import CliRunner

from fakecluster.cli.recording import record


def test_record_says_what_to_install(tmp_path, monkeypatch):
    # None in its place makes an import fail as if the module were not installed.
    monkeypatch.setitem(sys.modules, "aiohttp", None)
    monkeypatch.delitem(sys.modules, "fakecluster.recording.recorder", raising=False)
    monkeypatch.delitem(sys.modules, "fakecluster.recording.proxy", raising=False)
    options = ("--kubeconfig", "--transcript", "--proxy-kubeconfig")

    result = CliRunner().invoke(record, [word for name in options for word in (name, str(tmp_path / name))])

    assert "pip install 'fakecluster[recording]'" in result.output
