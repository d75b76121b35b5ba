"""The safety rules about ProvisioningRequests: which story breaks which row, and which breaks none."""

from dataclasses import replace

import pytest

from kueue_conformance.rules import Story, judge
from kueue_conformance.scenarios.dialect import known_dialects

from .control_plane_stories import change, condition, entry, made, reserved, workload

OURS = {"metadata": {"name": "room"}, "spec": {"controllerName": "kueue.x-k8s.io/provisioning-request"}}
THEIRS = {"metadata": {"name": "budget"}, "spec": {"controllerName": "example.com/budget"}}


def owned(thing):
    return {**thing, "metadata": {**thing["metadata"], "uid": "the-workload"}}


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
        "status": {"conditions": [condition(one) for one in conditions]},
    }


def asks(number=1, **more):
    return change(None, request(number=number, **more), "ProvisioningRequest")


def says(*conditions, number=1):
    return change(
        request(number=number), request(*conditions, number=number), "ProvisioningRequest", "outside-system"
    )


def is_there(thing):
    return made(owned(thing), "Workload")


def moves(before, after):
    return change(owned(before), owned(after))


def checks(*entries, **more):
    return reserved(checks=entries, **more)


PENDING, READY = checks(entry("room")), checks(entry("room", "Ready"))
NOT_NEEDED = checks({**entry("room", "Ready"), "message": "the provisioning request is not needed"})
BOTH = checks(entry("budget", "Ready", message="fine"), entry("room"))
QUIET = checks(entry("budget", "Ready"), entry("room", "Ready"))
HEEDED = checks(entry("budget", "Ready", message="fine"), entry("room", "Ready"))
DONE = reserved("Finished")
GONE = change(request(), None, "ProvisioningRequest")
STORIES = {
    "a request with quota": ([is_there(reserved()), asks()], []),
    "PA-031 a request without quota": ([is_there(workload()), asks()], ["PA-031"]),
    "PA-031 a request for what has finished": ([is_there(DONE), asks()], ["PA-031", "PA-032"]),
    "PA-058 a request that nothing controls": ([is_there(reserved()), asks(controller=False)], ["PA-058"]),
    "the next attempt": ([is_there(reserved()), asks(), says("Failed"), asks(2)], []),
    "the next attempt after the first has gone": ([is_there(reserved()), asks(), GONE, asks(2)], []),
    "PA-036 two at a time": ([is_there(reserved()), asks(), asks(2)], ["PA-036"]),
    "a request of another client": (
        [is_there(reserved()), asks(), replace(asks(2), actor="outside-system")], [],
    ),
    "Ready when provided": ([is_there(PENDING), asks(), says("Provisioned"), moves(PENDING, READY)], []),
    "Ready when none is needed": ([is_there(PENDING), moves(PENDING, NOT_NEEDED)], []),
    "PA-079 Ready when accepted": ([is_there(PENDING), asks(), says("Accepted"), moves(PENDING, READY)], ["PA-079"]),
    "an entry of others stays": ([is_there(BOTH), asks(), says("Provisioned"), moves(BOTH, HEEDED)], []),
    "PA-155 an entry of others is emptied": ([is_there(BOTH), asks(), says("Provisioned"), moves(BOTH, QUIET)], ["PA-155"]),
}  # fmt: skip
ENDS = {
    "a request that goes with its Workload": (
        [is_there(reserved()), asks(), moves(reserved(), DONE), GONE],
        [],
    ),
    "PA-032 a request that is left": ([is_there(reserved()), asks(), moves(reserved(), DONE)], ["PA-032"]),
    "a request that is held": (
        [is_there(reserved()), asks(deletionTimestamp="now"), moves(reserved(), DONE)],
        [],
    ),
}


def broken(changes, rests=1):
    """Return the rules about requests that a story breaks; everybody rests so often after it."""
    told = [
        replace(one, revision=at * 10)
        for at, one in enumerate([made(OURS, "AdmissionCheck"), made(THEIRS, "AdmissionCheck"), *changes], 1)
    ]
    told = [replace(one, at=one.at + at * 100) for at, one in enumerate(told)]
    settled = (*(one.revision for one in told), *(told[-1].revision + at for at in range(1, rests)))
    found = judge(Story(changes=told, attempts=(), controller="", settled=settled), known_dialects()["v0.19"])
    return sorted({one.rule for one in found if one.rule.startswith("PA-")})


@pytest.mark.parametrize(("changes", "rules"), STORIES.values(), ids=STORIES)
def test_stories(changes, rules):
    assert broken(changes) == rules


@pytest.mark.parametrize(("changes", "rules"), ENDS.values(), ids=ENDS)
def test_ends(changes, rules):
    assert broken(changes, rests=3) == rules
