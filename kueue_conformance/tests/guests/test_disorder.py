"""Verdicts stay the same when the watches of the harness come out of step, as on a busy cluster."""

import pytest

from fakecluster import FakeCluster
from kueue_conformance.tests.command_line.processes import run

SCENARIO = "ADM-344"
"""Evicted bare Workloads, whose quota a stand-in of the harness releases."""


@pytest.fixture
def kubeconfig(tmp_path):
    with FakeCluster() as cluster:
        yield cluster.kubeconfig(tmp_path / "kubeconfig")


@pytest.mark.slow
def test_late_watches_change_no_verdict(tmp_path, kubeconfig):
    backend = f"kubeconfig:{tmp_path / 'kubeconfig'}"

    done = run(
        *("run", SCENARIO, "--backend", backend, "--control-plane", "reference"),
        *("--watch-delays", 1, "-n", 0),
        cwd=tmp_path,
    )

    assert done.code == 0, done.whole
    assert "1 passed" in done.out


def test_late_changes_of_a_fake_cluster_change_no_verdict(tmp_path):
    done = run("run", SCENARIO, "--watch-delays", 1, "-n", 0, cwd=tmp_path)

    assert done.code == 0, done.whole
    assert "1 passed" in done.out


def test_delays_have_a_whole_number_as_seed(tmp_path):
    done = run("run", SCENARIO, "--watch-delays", "often", cwd=tmp_path)

    assert done.code == 4
    assert "--watch-delays is 'often', expected a whole number" in done.err
