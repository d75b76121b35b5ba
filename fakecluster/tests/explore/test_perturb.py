"""Operators under perturbations: the right one passes, each wrong one is found by what shows its bug."""

import pytest

from fakecluster import FakeCluster
from fakecluster.explore import Finding, perturb, perturbing

from .small_operators import (
    MAPS,
    SECRETS,
    ForgetsAfterCrash,
    IgnoresRefusals,
    SmallOperator,
    TrustsCache,
    function_of,
)

CALM_SECONDS = 0.15


@pytest.fixture(scope="module")
def cluster():
    with FakeCluster(clock="wall", tls=False, controllers="none") as fake_cluster:
        yield fake_cluster


def drive(cluster):
    cluster.request("POST", MAPS, {"metadata": {"name": "parent"}})
    yield
    cluster.request("PUT", f"{MAPS}/parent", {"metadata": {"name": "parent"}, "data": {"a": "b"}})


def check(cluster):
    assert len(cluster.request("GET", SECRETS)["items"]) == 2


def explore(cluster, operator, only, **arguments):
    return perturb(cluster, function_of(operator), drive, check, only=only, calm=CALM_SECONDS, **arguments)


@pytest.mark.parametrize(
    "only",
    ["kill-*-write-1", "*in-act-1", "stale-restart-after-act-1"],
)
def test_a_right_operator_passes(cluster, only):
    summary = explore(cluster, SmallOperator, only)

    assert summary.tried
    assert not summary.not_tried


@pytest.mark.parametrize(
    ("operator", "only", "expected"),
    [
        pytest.param(
            ForgetsAfterCrash, "kill-after-write-1", "secrets default/second-parent: it is gone", id="forgets"
        ),
        pytest.param(
            TrustsCache,
            "late-events-after-write-1",
            "secrets default/first-parent-* (2): left behind",
            id="trusts",
        ),
        pytest.param(
            IgnoresRefusals, "error-at-write-2", "secrets default/second-parent: it is gone", id="ignores"
        ),
    ],
)
def test_a_wrong_operator_is_found(cluster, monkeypatch, operator, only, expected):
    monkeypatch.setattr(perturbing, "REPETITIONS", 1)

    with pytest.raises(Finding) as finding:
        explore(cluster, operator, only, patience=0.3)

    text = str(finding.value)
    assert text.startswith(f"{only}: ")
    assert "(2 of 2 runs)" in text
    assert expected in text
    assert f"perturb(…, only={only!r})" in text
