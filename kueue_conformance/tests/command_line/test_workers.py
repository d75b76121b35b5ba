"""How many workers `run` has: real time is mostly waiting,
one subject has one worker, and who says a number has that.
"""

import pytest

from kueue_conformance.cli.run_command import processes
from kueue_conformance.options import read

NAMED = {"controller-name": "example.com/budget"}
PROGRAM = {"subject": "process:./controller", **NAMED}
ON_VIRTUAL_TIME = {"subject": "python:kueue_conformance.tests.zoo.right:CheckController.serve", **NAMED}
BARE_API_SERVER = {"profile": "API-SERVER"}


@pytest.mark.parametrize(
    ("options", "requested_processes", "cores", "workers"),
    [
        pytest.param(PROGRAM, "auto", 2, "4", id="two for each core"),
        pytest.param(PROGRAM, "auto", 6, "8", id="not a crowd"),
        pytest.param(PROGRAM, "auto", 16, "16", id="one for each of many cores"),
        pytest.param(PROGRAM, "3", 2, "3", id="as asked"),
        pytest.param({**PROGRAM, "backend": "envtest"}, "auto", 2, "0", id="one subject"),
        pytest.param({"subject": "external:", **NAMED}, "auto", 2, "0", id="started by hand"),
        pytest.param(ON_VIRTUAL_TIME, "auto", 2, "auto", id="virtual time"),
        pytest.param({}, "auto", 2, "auto", id="no subject"),
        pytest.param(BARE_API_SERVER, "auto", 2, "auto", id="a server for each worker"),
        pytest.param({**BARE_API_SERVER, "backend": "envtest"}, "auto", 2, "0", id="one server"),
        pytest.param({**BARE_API_SERVER, "backend": "envtest"}, "2", 2, "2", id="one server, as asked"),
        pytest.param(
            {"profile": "PROVISIONING-REQUEST", "backend": "envtest"},
            "auto",
            2,
            "0",
            id="an autoscaler for each case",
        ),
        pytest.param(
            {"profile": "PROVISIONING-REQUEST", "backend": "kubeconfig:x", "autoscaler": "found"},
            "auto",
            2,
            "auto",
            id="an autoscaler at work",
        ),
        pytest.param({"backend": "envtest"}, "1", 2, "0", id="one worker on a server for all"),
        pytest.param({}, "1", 2, "1", id="one worker with clusters of its own"),
    ],
)
def test_workers(options, requested_processes, cores, workers):
    assert processes(requested_processes, read(options, seed=1), cores) == workers
