"""fabric8, the Java client, with each of its HTTP clients:
the tests of examples/fabric8, unmodified on a fake cluster.

They all watch over WebSockets; the default one is Vert.x.
"""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from fakecluster import FakeCluster
from kueue_conformance.tests.checkout import ROOT

pytestmark = [
    pytest.mark.acceptance,
    pytest.mark.timeout(900),
    pytest.mark.skipif(
        shutil.which("mvn") is None or shutil.which("java") is None,
        reason="unsupported: needs java and mvn, not on this machine",
    ),
]


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project with its classes compiled."""
    copy = shutil.copytree(
        ROOT / "examples/fabric8",
        tmp_path_factory.mktemp("fabric8") / "project",
        ignore=shutil.ignore_patterns("target"),
    )
    subprocess.run(["mvn", "-B", "-q", "test-compile"], cwd=copy, check=True)
    return copy


@pytest.mark.parametrize(
    "factory",
    [
        pytest.param("", id="vertx"),
        pytest.param("jdkhttp.JdkHttpClientFactory", id="jdk"),
        pytest.param("okhttp.OkHttpClientFactory", id="okhttp"),
    ],
)
def test_its_programs_work(project, tmp_path, factory):
    kubeconfig = tmp_path / "kubeconfig"
    with FakeCluster(clock="wall") as cluster:
        cluster.kubeconfig(kubeconfig)
        ended = subprocess.run(
            ["mvn", "-B", "-o", "-q", "test", f"-Dhttpclient={factory}"],
            cwd=project,
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "KUBECONFIG": str(kubeconfig)},
        )
        watches = cluster.journal.where(verb="watch", resource="configmaps")

    assert ended.returncode == 0, ended.stdout
    assert {watch.code for watch in watches} == {101}
