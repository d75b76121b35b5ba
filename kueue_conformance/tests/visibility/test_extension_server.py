"""How the harness finds the server behind an API server, to ask it at its own port."""

import pytest

from kueue_conformance.base.errors import EnvironmentProblem
from kueue_conformance.wire.extension import ExtensionServer

GROUP = "visibility.example.com"


class Registered:
    """An API server with APIServices, and Services by their names."""

    def __init__(self, specs, **services):
        self._specs, self._services = specs, services

    def call(self, method, path):
        assert method == "GET"
        if path.endswith("/apiservices"):
            return {"items": [{"spec": spec} for spec in self._specs]}
        return {"spec": self._services[path.rpartition("/")[2]]}


def service(name):
    return {"group": GROUP, "service": {"namespace": "ns", "name": name, "port": 1}}


@pytest.mark.parametrize(
    "registered",
    [
        pytest.param(Registered([]), id="nothing"),
        pytest.param(Registered([{"group": "other"}]), id="another group"),
        pytest.param(Registered([{"group": GROUP}]), id="without a Service"),
        pytest.param(
            Registered([service("inside")], inside={"type": "ClusterIP"}), id="inside of the cluster"
        ),
    ],
)
def test_a_server_that_cannot_be_asked_is_a_problem_of_the_environment(registered):
    with pytest.raises(EnvironmentProblem, match=f"no server of {GROUP} is registered"):
        ExtensionServer(registered, GROUP)("GET", "/", (), b"")


def test_a_server_of_this_machine_is_asked_where_it_listens():
    registered = Registered([service("here")], here={"type": "ExternalName", "externalName": "127.0.0.1"})

    with pytest.raises(EnvironmentProblem, match=r"the server at 127\.0\.0\.1:1 does not answer"):
        ExtensionServer(registered, GROUP)("GET", "/", (), b"")
