"""The example operators under perturbations: the right ones pass, the bug of the wrong ones is found."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from fakecluster import FakeCluster
from fakecluster.explore import Finding, perturb

pytestmark = [pytest.mark.acceptance, pytest.mark.timeout(600)]
EXAMPLES = Path(__file__).parents[3] / "examples/operators"
PYTHON = EXAMPLES / "python"
STALE_CACHE = "late-events-after-write-1"


@pytest.fixture(scope="module")
def example():
    """The acts and the check of the test that both examples have."""
    # Its marker is known only where the plugin is loaded.
    source = (PYTHON / "test_websites.py").read_text("utf-8").replace("@pytest.mark.fakecluster", "# ")
    functions = {}
    exec(source, functions)
    return functions["drive"], functions["check"]


@pytest.fixture(params=["python", "go"])
def command(request, tmp_path):
    """The command that starts an example."""
    if request.param == "python":
        return [sys.executable, PYTHON / "websites.py"]
    program = tmp_path / "websites"
    go = request.getfixturevalue("go")
    subprocess.run([go, "build", "-o", program, "."], cwd=EXAMPLES / "go", check=True)
    return [program]


@pytest.fixture
def cluster():
    with FakeCluster(clock="wall") as fake_cluster:
        fake_cluster.apply_files([PYTHON / "website.yaml"])
        yield fake_cluster


def test_a_right_operator_passes_every_perturbation(cluster, command, example):
    summary = perturb(cluster, command, *example, runs=100, seconds=500)

    assert len(summary.tried) > 30
    assert not summary.not_tried


def test_an_operator_that_trusts_its_cache_is_found(cluster, command, example):
    with pytest.raises(Finding, match=r"deployments default/web-shop-\* \(2\): left behind"):
        perturb(cluster, [*command, "--generate-names"], *example, only=STALE_CACHE)
