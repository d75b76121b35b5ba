"""The safety rules about ProvisioningRequests: which story breaks which row, and which breaks none."""

from dataclasses import replace

import pytest

from kueue_conformance.rules import Story, judge
from kueue_conformance.scenarios.dialect import known_dialects

from .control_plane_stories import change, condition, creation, entry, with_quota, workload

OURS = {"metadata": {"name": "room"}, "spec": {"controllerName": "kueue.x-k8s.io/provisioning-request"}}
THEIRS = {"metadata": {"name": "budget"}, "spec": {"controllerName": "example.com/budget"}}


def with_uid(manifest):
    return {**manifest, "metadata": {**manifest["metadata"], "uid": "the-workload"}}


def request(*conditions, number=1, controller=True, **metadata):
    owner = {"kind": "Workload", "name": "work", "uid": "the-workload", "controller": controller}
    return {
        "metadata": {
            "name": f"work-room-{number}",
            "namespace": "ns",
            "ownerReferences": [owner],
            **metadata,
        },
        "spec": {"podSets": [{"podTemplateRef": {"name": "ppt"}, "count": 1}]},
        "status": {"conditions": [condition(condition_fields) for condition_fields in conditions]},
    }


def asks(number=1, **fields):
    return change(None, request(number=number, **fields), "ProvisioningRequest")


def says(*conditions, number=1):
    return change(
        request(number=number), request(*conditions, number=number), "ProvisioningRequest", "outside-system"
    )


def is_there(subject_workload):
    return creation(with_uid(subject_workload), "Workload")


def moves(before, after):
    return change(with_uid(before), with_uid(after))


def checks(*entries, **fields):
    return with_quota(checks=entries, **fields)


PENDING, READY = checks(entry("room")), checks(entry("room", "Ready"))
NOT_NEEDED = checks({**entry("room", "Ready"), "message": "the provisioning request is not needed"})
BOTH = checks(entry("budget", "Ready", message="fine"), entry("room"))
QUIET = checks(entry("budget", "Ready"), entry("room", "Ready"))
HEEDED = checks(entry("budget", "Ready", message="fine"), entry("room", "Ready"))
DONE = with_quota("Finished")
GONE = change(request(), None, "ProvisioningRequest")
STORIES = {
    "a request with quota": ([is_there(with_quota()), asks()], []),
    "PA-031 a request without quota": ([is_there(workload()), asks()], ["PA-031"]),
    "PA-031 a request for what has finished": ([is_there(DONE), asks()], ["PA-031", "PA-032"]),
    "PA-058 a request that nothing controls": ([is_there(with_quota()), asks(controller=False)], ["PA-058"]),
    "the next attempt": ([is_there(with_quota()), asks(), says("Failed"), asks(2)], []),
    "the next attempt after the first has gone": ([is_there(with_quota()), asks(), GONE, asks(2)], []),
    "PA-036 two at a time": ([is_there(with_quota()), asks(), asks(2)], ["PA-036"]),
    "a request of another client": (
        [is_there(with_quota()), asks(), replace(asks(2), actor="outside-system")], [],
    ),
    "Ready when provided": ([is_there(PENDING), asks(), says("Provisioned"), moves(PENDING, READY)], []),
    "Ready when none is needed": ([is_there(PENDING), moves(PENDING, NOT_NEEDED)], []),
    "PA-079 Ready when accepted": ([is_there(PENDING), asks(), says("Accepted"), moves(PENDING, READY)], ["PA-079"]),
    "an entry of others stays": ([is_there(BOTH), asks(), says("Provisioned"), moves(BOTH, HEEDED)], []),
    "PA-155 an entry of others is emptied": ([is_there(BOTH), asks(), says("Provisioned"), moves(BOTH, QUIET)], ["PA-155"]),
}  # fmt: skip
ENDS = {
    "a request that goes with its Workload": (
        [is_there(with_quota()), asks(), moves(with_quota(), DONE), GONE],
        [],
    ),
    "PA-032 a request that is left": (
        [is_there(with_quota()), asks(), moves(with_quota(), DONE)],
        ["PA-032"],
    ),
    "a request that is held": (
        [is_there(with_quota()), asks(deletionTimestamp="now"), moves(with_quota(), DONE)],
        [],
    ),
}


def broken_rules(changes, rests=1):
    """Return the rules about requests that a story breaks; everybody rests so often after it."""
    numbered_changes = [
        replace(story_change, revision=at * 10)
        for at, story_change in enumerate(
            [creation(OURS, "AdmissionCheck"), creation(THEIRS, "AdmissionCheck"), *changes], 1
        )
    ]
    numbered_changes = [
        replace(numbered, at=numbered.at + at * 100) for at, numbered in enumerate(numbered_changes)
    ]
    settled = (
        *(numbered.revision for numbered in numbered_changes),
        *(numbered_changes[-1].revision + at for at in range(1, rests)),
    )
    violations = judge(
        Story(changes=numbered_changes, attempts=(), controller="", settled=settled),
        known_dialects()["v0.19"],
    )
    return sorted({violation.rule for violation in violations if violation.rule.startswith("PA-")})


@pytest.mark.parametrize(("changes", "rules"), STORIES.values(), ids=STORIES)
def test_stories(changes, rules):
    assert broken_rules(changes) == rules


@pytest.mark.parametrize(("changes", "rules"), ENDS.values(), ids=ENDS)
def test_ends(changes, rules):
    assert broken_rules(changes, rests=3) == rules
