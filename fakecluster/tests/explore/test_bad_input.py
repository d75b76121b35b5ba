"""What makes exploring impossible is told in the words of the test."""

import sys

import pytest
from msgspec.structs import replace

from fakecluster import FakeCluster
from fakecluster.explore import ExploreError, perturb, perturbing, run

from .small_operators import MAPS, SmallOperator, function_of

RIGHT = function_of(SmallOperator)


@pytest.fixture(scope="module")
def cluster():
    with FakeCluster(clock="wall", tls=False, controllers="none") as fake_cluster:
        yield fake_cluster


def drive(cluster):
    cluster.request("POST", MAPS, {"metadata": {"name": "parent"}})


def wait_for_stop(kubeconfig, stop):
    del kubeconfig
    stop.wait()


def starts_once():
    """Return an operator that ends at its second start within a run."""
    starts = []

    def operator(kubeconfig, stop):
        folder = kubeconfig.rpartition("/")[0]
        if folder in starts:
            raise RuntimeError("the lock file exists")
        starts.append(folder)
        RIGHT(kubeconfig, stop)

    return operator


def failing_drive(cluster):
    cluster.request("GET", f"{MAPS}/missing")


def failing_check(cluster):
    assert cluster is None, "there is a cluster"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        pytest.param({"operator": "./manager"}, "expected a command as a list of words", id="text"),
        pytest.param({"operator": lambda: None}, "expected a function of a kubeconfig's path and an Event", id="function"),
        pytest.param({"operator": ["./no-such-program"]}, "the operator cannot be started: ./no-such-program", id="no program"),
        pytest.param(
            {"operator": [sys.executable, "-c", "raise SystemExit('no flag --x')"]},
            "the operator ended by itself:\n  exit code 1\n  no flag --x",
            id="ends",
        ),
        pytest.param({"operator": wait_for_stop}, "the operator asked for nothing within", id="silent"),
        pytest.param({"operator": starts_once()}, "cannot be started again after it was killed", id="no restart"),
        pytest.param({"drive": None}, "drive is None: expected a function of the cluster", id="drive"),
        pytest.param({"drive": failing_drive}, "the drive failed in act 1: StatusError", id="failing drive"),
        pytest.param({"drive": lambda _: None}, "writes nothing while it is driven", id="empty drive"),
        pytest.param({"check": failing_check}, "the check fails: AssertionError: there is a cluster", id="check"),
        pytest.param({"check": "ok"}, "check is 'ok': expected a function", id="no check"),
        pytest.param({"runs": 0}, "runs is 0: expected a whole number from 1", id="runs"),
        pytest.param({"seconds": -1}, "seconds is -1: expected seconds above 0", id="seconds"),
        pytest.param({"only": "kill-after-wirte-1"}, "did you mean 'kill-after-write-1'?", id="only"),
        pytest.param({"only": 3}, "only is 3: expected the name of a perturbation", id="only as a number"),
        pytest.param({"may_differ": "secrets"}, "may_differ is 'secrets': expected a list", id="may differ as text"),
        pytest.param({"cluster": None}, "cluster is None: expected a started FakeCluster", id="cluster"),
        pytest.param({"cluster": FakeCluster()}, "use FakeCluster(clock='wall')", id="virtual"),
    ],
)  # fmt: skip
def test_it_is_refused(cluster, monkeypatch, arguments, expected):
    monkeypatch.setattr(run, "START_SECONDS", 0.3 if arguments.get("operator") is wait_for_stop else 60)
    monkeypatch.setattr(run, "UNPERTURBED_SECONDS", 0.3 if arguments.get("check") is failing_check else 60)

    with pytest.raises(ExploreError) as refusal:
        perturb(**{"cluster": cluster, "operator": RIGHT, "drive": drive, "calm": 0.1, **arguments})

    assert expected in str(refusal.value)


def test_a_perturbation_that_is_asked_for_and_does_not_happen_is_no_success(cluster, monkeypatch):
    play = perturbing.play

    def play_unmet(exploration, perturbation=None, expected=None):
        return replace(play(exploration), was_met=perturbation is None)

    monkeypatch.setattr(perturbing, "play", play_unmet)

    with pytest.raises(ExploreError, match="only='kill-after-write-1': it did not happen in 1 runs"):
        perturb(cluster, RIGHT, drive, only="kill-after-write-1", calm=0.1)
