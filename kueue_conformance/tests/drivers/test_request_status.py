"""A subject that makes ProvisioningRequests is told its verdicts by their conditions."""

import os
import subprocess
import sys
from dataclasses import replace

import pytest

from kueue_conformance.subject.drivers import DriverContext, NoDecisionTarget, RepeatingDriver
from kueue_conformance.subject.drivers.decision import Decision
from kueue_conformance.subject.drivers.request import RequestStatus
from kueue_conformance.tests.checkout import ROOT

FILE = ROOT / "kueue_conformance/tests/drivers/provisioning.yaml"
NOON = 43_200.0
DRIVER = RequestStatus({"Accepted": "True", "Provisioned": "True"})
DECISION = Decision(namespace="ns", workload="work", state="Ready", message="there", check="room")


class Server:
    """Keeps requests as the client of a driver sees them."""

    def __init__(self, *names, owner="work"):
        owners = [{"kind": "Workload", "name": owner}]
        self.found = {
            name: {"metadata": {"name": name, "namespace": "ns", "ownerReferences": owners}} for name in names
        }

    def list(self, kind, namespace):
        return list(self.found.values())

    def merge(self, kind, name, patch, *, namespace, sub):
        self.found[name] = {**self.found[name], **patch}

    def conditions(self, name):
        return [
            (condition["type"], condition["status"], condition["message"])
            for condition in self.found[name]["status"]["conditions"]
        ]


def means(server):
    return DriverContext(server, "", lambda: NOON)


def test_conditions_are_written():
    server = Server("work-room-1")

    DRIVER.decide(DECISION, means(server), 1.0)

    assert server.conditions("work-room-1") == [
        ("Accepted", "True", "there"),
        ("Provisioned", "True", "there"),
    ]
    assert (
        server.found["work-room-1"]["status"]["conditions"][0]["lastTransitionTime"] == "1970-01-01T12:00:00Z"
    )


@pytest.mark.parametrize(
    "server", [Server(), Server("other-room-1", owner="other")], ids=["none", "of another"]
)
def test_without_a_request_it_is_not_yet_decided(server):
    with pytest.raises(NoDecisionTarget):
        DRIVER.decide(DECISION, means(server), 1.0)


def test_the_request_of_another_check_is_left_alone():
    server = Server("work-room-1", "work-budget-1")

    DRIVER.decide(DECISION, means(server), 1.0)

    assert "status" not in server.found["work-budget-1"]


def test_a_request_that_comes_later_is_due():
    server = Server("work-room-1")
    DRIVER.decide(DECISION, means(server), 1.0)
    assert not DRIVER.is_due(DECISION, means(server))

    server.found.update(Server("work-room-2").found)

    assert isinstance(DRIVER, RepeatingDriver)
    assert DRIVER.is_due(DECISION, means(server))


@pytest.mark.parametrize(("keep", "remaining_conditions"), [(frozenset(), 0), (frozenset({"Failed"}), 2)])
def test_what_was_said_is_taken_back_unless_something_else_takes_its_place(keep, remaining_conditions):
    server = Server("work-room-1")
    DRIVER.decide(DECISION, means(server), 1.0)

    DRIVER.undo(DECISION, means(server), keep)

    assert len(server.conditions("work-room-1")) == remaining_conditions


@pytest.mark.parametrize("over", ["Failed", "CapacityRevoked", "BookingExpired"])
def test_a_request_that_is_over_is_told_nothing_more(over):
    server = Server("work-room-1")
    RequestStatus({over: "True"}).decide(DECISION, means(server), 1.0)

    DRIVER.decide(DECISION, means(server), 1.0)
    DRIVER.undo(DECISION, means(server), frozenset())

    assert [condition[0] for condition in server.conditions("work-room-1")] == [over]
    assert not DRIVER.is_due(DECISION, means(server))


def test_what_was_said_stays_beside_what_is_said_later():
    server = Server("work-room-1")
    DRIVER.decide(DECISION, means(server), 1.0)

    RequestStatus({"CapacityRevoked": "True"}).decide(DECISION, means(server), 1.0)

    assert [condition[0] for condition in server.conditions("work-room-1")] == [
        "Accepted",
        "Provisioned",
        "CapacityRevoked",
    ]


def test_another_message_does_not_move_the_time():
    server = Server("work-room-1")
    DRIVER.decide(DECISION, means(server), 1.0)

    DRIVER.decide(replace(DECISION, message="still there"), DriverContext(server, "", lambda: 2 * NOON), 1.0)

    (condition, _) = server.found["work-room-1"]["status"]["conditions"]
    assert (condition["message"], condition["lastTransitionTime"]) == ("still there", "1970-01-01T12:00:00Z")


def test_requests_are_read_once_in_a_round():
    server = Server("work-room-1")
    once = means(server)
    assert DRIVER.is_due(DECISION, once)

    server.found.clear()

    assert DRIVER.is_due(DECISION, once)
    assert not DRIVER.is_due(DECISION, means(server))


@pytest.mark.parametrize(
    ("profile", "scenarios"),
    [
        ("CHECK-CONTROLLER", ["CHK-001", "CHK-011", "CHK-013", "CHK-022"]),
        ("PROVISIONING-CHECK", ["PRC-002", "PRC-003", "PRC-100", "PRC-180", "PRC-191"]),
    ],
)
def test_a_controller_that_makes_requests_is_judged(tmp_path, profile, scenarios):
    command = [
        sys.executable,
        "-m",
        "kueue_conformance",
        "run",
        *scenarios,
        "--profile",
        profile,
        "--subject-file",
        str(FILE),
        "--dialect",
        "v0.19",
        "--report-dir",
        str(tmp_path / "report"),
        "--workers",
        "1",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env={**os.environ})

    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(scenarios)} passed" in done.stdout
