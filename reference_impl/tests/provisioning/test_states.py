"""The table from conditions to answers, with the exact texts (PA-070…084)."""

from __future__ import annotations

from typing import Any

import pytest

from reference_impl.kueue.provisioning.config import ProvisioningConfig, RetryStrategy
from reference_impl.kueue.provisioning.decide import answers, current_answer
from reference_impl.kueue.provisioning.snapshot import WorkloadSnapshot

from .objects import CLASS, RULES, condition, entry, request, snapshot, workload

ETA = condition("Provisioned", "False", "in 5 min")
ROOM = condition("Provisioned", message="found")
TAKEN = condition("Accepted")
BROKEN = condition("Failed", message="no room")
LATE = condition("BookingExpired", message="too late")
GONE = condition("CapacityRevoked", message="taken away")
LOST = {"message": "Retrying after failure: no room", "requeueAfterSeconds": 60}
OVER = {"message": "Retrying after booking expired: too late", "requeueAfterSeconds": 60}


def answer(of: WorkloadSnapshot) -> Any:
    current = tuple(current_answer(of, check, RULES) for check in of.checks)
    return answers(of, current, RULES).get("c1")


@pytest.mark.parametrize(
    ("before", "conditions", "after"),
    [
        pytest.param({"message": "x"}, (), {"state": "Pending", "message": ""}, id="PA-082 none"),
        pytest.param({"state": "Ready"}, (), {"state": "Pending", "message": ""}, id="PA-082 from Ready"),
        pytest.param({"state": "Ready"}, (TAKEN,), {"state": "Ready"}, id="PA-081"),
        pytest.param({}, (TAKEN, ETA), {"message": "in 5 min"}, id="PA-080"),
        pytest.param(
            {"state": "Ready"}, (TAKEN, ETA), {"state": "Pending", "message": "in 5 min"}, id="PA-080 back"
        ),
        pytest.param({}, (ETA,), {"message": ""}, id="PA-082 without Accepted"),
        pytest.param(
            {"state": "Ready", "message": "first"},
            (ROOM,),
            {"state": "Ready", "message": "first"},
            id="PA-079 once",
        ),
        pytest.param({}, (BROKEN,), {"state": "Retry", **LOST}, id="PA-073"),
        pytest.param({}, (TAKEN, ROOM, BROKEN, LATE, GONE), {"state": "Retry", **LOST}, id="PA-083"),
        pytest.param(
            {"retryCount": 1}, (BROKEN,), {"retryCount": 1, "message": LOST["message"]}, id="PA-074"
        ),
        pytest.param({}, (GONE, LATE), {"state": "Rejected", "message": "taken away"}, id="PA-076"),
        pytest.param({}, (ROOM, LATE), {"state": "Retry", **OVER}, id="PA-077"),
        pytest.param(
            {"state": "Retry", "requeueAfterSeconds": 60},
            (condition("Failed", "False"), TAKEN),
            {"state": "Retry", "requeueAfterSeconds": 60},
            id="PC-04 withdrawn",
        ),
        pytest.param({}, (condition("Failed", "Unknown"),), {}, id="PA-084"),
        pytest.param({}, (condition("Strange"),), {}, id="PA-084 unknown"),
    ],
)
def test_answer(before: Any, conditions: Any, after: Any) -> None:
    """One line of the table each."""
    of = workload(entries=[entry(**before)])
    assert answer(snapshot(of, request(*conditions))) == {**entry(**before), **after}


def test_ready_brings_updates_once() -> None:
    """PA-079, PA-085…087."""
    config = ProvisioningConfig(class_name=CLASS, labels=(("pool", "Pool"), ("zone", "Zone")))
    of = snapshot(
        workload(),
        request(ROOM, status={"provisioningClassDetails": {"Pool": "a"}}),
        configs={"c1": config},
    )
    notes = {
        "autoscaling.x-k8s.io/consume-provisioning-request": "wl-c1-1",
        "autoscaling.x-k8s.io/provisioning-class-name": CLASS,
    }
    assert answer(of) == {
        **entry(state="Ready", message="found"),
        "podSetUpdates": [{"name": "main", "annotations": notes, "nodeSelector": {"pool": "a"}}],
    }


@pytest.mark.parametrize(
    ("limit", "attempt", "state"),
    [(0, 1, "Rejected"), (-1, 1, "Rejected"), (1, 1, "Retry"), (1, 2, "Rejected")],
)
def test_limit(limit: int, attempt: int, state: str) -> None:
    """PA-075, PA-098: the message of the last one stands alone."""
    config = ProvisioningConfig(class_name=CLASS, retry=RetryStrategy(limit))
    of = snapshot(workload(), request(BROKEN, name=f"wl-c1-{attempt}"), configs={"c1": config})
    written = answer(of)
    assert written["state"] == state
    assert written["message"] == ("no room" if state == "Rejected" else LOST["message"])


def test_an_admitted_workload_has_used_what_was_booked() -> None:
    """PA-078."""
    of = workload("QuotaReserved", "Admitted", entries=[entry(state="Ready", message="m")])
    assert answer(snapshot(of, request(ROOM, LATE))) == entry(state="Ready", message="m")


def test_an_inactive_workload_is_not_rejected() -> None:
    """PA-076."""
    assert answer(snapshot(workload(active=False), request(GONE))) == entry()


def test_without_configuration() -> None:
    """PA-070."""
    of = workload(entries=[entry(state="Ready")])
    assert answer(snapshot(of, request(ROOM), configs={"c1": None})) == entry(
        state="Pending", message="the check is not active"
    )


def test_not_needed() -> None:
    """PA-071: podSetUpdates are removed, and a Ready check stays Ready."""
    config = {"c1": ProvisioningConfig(class_name=CLASS, managed=frozenset({"gpu"}))}
    updates = [{"name": "main"}]
    pending = workload(entries=[entry(podSetUpdates=updates)])
    assert answer(snapshot(pending, configs=config)) == entry(
        state="Ready", message="the provisioning request is not needed"
    )
    ready = workload(entries=[entry(state="Ready", message="m", podSetUpdates=updates)])
    assert answer(snapshot(ready, configs=config)) == ready.checks.entries[0]


def test_a_wait_that_was_written_stands() -> None:
    """PA-095: another jitter is no change, another base is."""
    before = entry(state="Retry", message=LOST["message"], requeueAfterSeconds=100_003)
    of = workload(entries=[before])
    for base, expected in ((100_000, 100_003), (60, 60)):
        config = {"c1": ProvisioningConfig(class_name=CLASS, retry=RetryStrategy(3, base, 0))}
        written = answer(snapshot(of, request(BROKEN), configs=config, jitter=0.9))
        assert written["requeueAfterSeconds"] == expected
