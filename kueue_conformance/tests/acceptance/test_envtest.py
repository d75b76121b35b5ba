"""A Go suite on controller-runtime's envtest,
unchanged on the fake assets and on real ones where they are built (F-09).
"""

from __future__ import annotations

import os
import re
import subprocess

import pytest

from fakecluster.envtest.install import install
from kueue_conformance.tests.checkout import ROOT

pytestmark = [pytest.mark.acceptance, pytest.mark.timeout(600)]
REAL = ROOT / ".oracle/bin"


@pytest.fixture(scope="session")
def suite(go, tmp_path_factory):
    """The compiled tests of examples/envtest."""
    program = tmp_path_factory.mktemp("envtest") / "envtest.test"
    subprocess.run([go, "test", "-c", "-o", program, "."], cwd=ROOT / "examples/envtest", check=True)
    return program


def run_suite(suite, assets):
    """Run the suite on some assets; return how many milliseconds the environment took to start."""
    environment = {**os.environ, "KUBEBUILDER_ASSETS": str(assets)}
    ended = subprocess.run([suite, "-test.v"], env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return int(re.findall(r"started in (\d+) ms", ended.stderr)[0])


def test_the_suite_passes_on_fake_assets(suite, tmp_path, record_property):
    install(tmp_path)
    record_property("milliseconds to start, fake", run_suite(suite, tmp_path))


@pytest.mark.skipif(not REAL.exists(), reason="unsupported: .oracle/bin is not built (make oracle)")
def test_the_suite_passes_on_real_assets(suite, record_property):
    record_property("milliseconds to start, real", run_suite(suite, REAL))
