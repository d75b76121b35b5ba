"""The contract of control planes: every one of them, `upstream` included, is installed, started and ended in
the same way.
"""

import inspect

import pytest

from kueue_conformance import control_planes
from kueue_conformance.backends.fake import WallFakeBackend
from kueue_conformance.backends.fake.shared import WallLease
from kueue_conformance.base.errors import EnvironmentProblem, UsageError
from kueue_conformance.control_planes import SCRIPTED, ControlPlane, RunningControlPlane
from kueue_conformance.control_planes.reference import ReferenceControlPlane
from kueue_conformance.scenarios.dialect import known_dialects
from kueue_conformance.wire.client import Client

NAMES = ("none", "reference", "reference:deployed", "scripted", "upstream")
DIALECT = known_dialects()["v0.19"]
METHODS = [
    name for name, _ in inspect.getmembers(ControlPlane, inspect.isfunction) if not name.startswith("_")
]


@pytest.fixture(scope="module")
def backend():
    backend = WallFakeBackend()
    yield backend
    backend.close()


@pytest.fixture
def bare(backend):
    """A cluster without Kueue."""
    cluster = backend.lend(known_dialects()["v0.6"])
    yield cluster
    cluster.close()


@pytest.fixture
def with_kueue(backend):
    """A cluster with Kueue's kinds installed."""
    cluster = backend.lend(DIALECT, lambda base: ReferenceControlPlane().install(base, DIALECT))
    yield cluster
    cluster.close()


@pytest.mark.parametrize("name", NAMES)
def test_a_control_plane_keeps_the_contract(name):
    control_plane = control_planes.choose(name, "fake")

    assert (
        control_plane.name,
        isinstance(control_plane.features, frozenset),
        isinstance(control_plane.lacks, frozenset),
    ) == (
        name.partition(":")[0],
        True,
        True,
    )
    assert [method for method in METHODS if not callable(getattr(control_plane, method, None))] == []
    assert isinstance(control_plane.version(), str)
    control_plane.close()


@pytest.mark.parametrize("name", [name for name in NAMES if name != "reference:deployed"])
def test_it_plays_on_a_cluster_until_it_is_stopped(with_kueue: WallLease, name):
    control_plane = control_planes.choose(name, "fake")

    control_plane.install(with_kueue, DIALECT)
    running: RunningControlPlane = control_plane.start(with_kueue, DIALECT)
    running.stop()
    control_plane.close()

    assert Client(with_kueue.transport, agent="test").call("GET", "/apis/kueue.x-k8s.io/v1beta2")["resources"]


def test_only_scripted_lets_scenarios_write_what_kueue_writes():
    assert [name for name in NAMES if SCRIPTED in control_planes.choose(name, "fake").features] == [
        "scripted"
    ]


def test_upstream_installs_nothing(with_kueue):
    client = Client(with_kueue.transport, agent="test")
    before = client.list("CustomResourceDefinition")

    control_planes.choose("upstream", "fake").install(with_kueue, DIALECT)

    assert client.list("CustomResourceDefinition") == before


def test_upstream_needs_a_kueue_that_is_there(bare):
    with pytest.raises(
        EnvironmentProblem, match=r"(?s)does not serve kueue\.x-k8s\.io/v1beta2.*hint: install Kueue there"
    ):
        control_planes.choose("upstream", "fake").install(bare, known_dialects()["v0.6"])


def test_an_unknown_one_is_told_with_the_nearest():
    with pytest.raises(UsageError, match=r"(?s)unknown control plane 'upstrem'.*did you mean 'upstream'"):
        control_planes.choose("upstrem", "fake")


def test_a_reference_that_cannot_start_keeps_no_log_open(with_kueue, tmp_path, monkeypatch):
    logs = []

    class Failing:
        def __init__(self, _config, _clock, *, log_to):
            logs.append(log_to)

        async def start(self):
            raise OSError("no way to the server")

        async def stop(self):
            pass

    monkeypatch.setattr("reference_impl.runtime.manager.Manager", Failing)
    with_kueue.log = tmp_path / "kueue.log"

    with pytest.raises(OSError, match="no way to the server"):
        ReferenceControlPlane().start(with_kueue, DIALECT)

    assert [log.closed for log in logs] == [True]


def test_what_the_reference_says_goes_where_it_is_told_to(with_kueue, tmp_path, capsys):
    with_kueue.log = tmp_path / "report" / "kueue.log"
    running = ReferenceControlPlane().start(with_kueue, DIALECT)

    with_kueue.restart_server(0.01)
    is_logged = with_kueue.wait(lambda: "watch broke" in with_kueue.log.read_text(), 30, lambda: False)
    running.stop()

    assert is_logged
    assert "watch broke" not in capsys.readouterr().err
