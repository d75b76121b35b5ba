"""What most clusters never use is imported when it is first called, not when a cluster starts."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from fakecluster.base.lazy_modules import LazyModule

STARTED = """
import json, sys
from fakecluster import FakeCluster
with FakeCluster(tls=False):
    print(json.dumps([*sys.modules]))
"""
UNUSED = (
    "fakecluster.controllers.deployments",
    "fakecluster.controllers.jobs",
    "fakecluster.kinds.admissionregistration.policies",
    "fakecluster.kinds.apps.validation",
    "fakecluster.kinds.batch.validation",
    "fakecluster.kinds.core.pod.validation.pod",
    "fakecluster.kinds.core.pod.warnings.pods",
    "fakecluster.kinds.core.service.validation",
    "fakecluster.kinds.networking.network_policies",
    "fakecluster.kinds.resource.claims",
    "fakecluster.kinds.storage.validation",
)


@pytest.fixture(scope="module")
def started_modules():
    """The modules of a process in which a cluster has started."""
    program = subprocess.run([sys.executable, "-c", STARTED], capture_output=True, check=True)
    return frozenset(json.loads(program.stdout))


@pytest.mark.parametrize("module", UNUSED)
def test_a_start_does_not_import(module, started_modules):
    assert module not in started_modules


def test_a_module_is_imported_by_the_first_call(monkeypatch):
    quopri = LazyModule("quopri")
    monkeypatch.delitem(sys.modules, "quopri", raising=False)

    encode = quopri.encodestring

    assert "quopri" not in sys.modules
    assert encode(b"=") == b"=3D"
    assert "quopri" in sys.modules
