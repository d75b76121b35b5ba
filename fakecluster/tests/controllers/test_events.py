"""Controllers record Events, and count what happens again (FK-471, FK-490)."""

from __future__ import annotations

from fakecluster.controllers.actor import Actor, service_account
from fakecluster.controllers.recorder import Recorder

from .conftest import to_end

CORE = "/api/v1/namespaces/default"
EVENTS, MAPS = f"{CORE}/events", f"{CORE}/configmaps"


def recorder(world):
    return Recorder(
        Actor(world.core.api, service_account("job-controller"), "kube-controller-manager"), "job-controller"
    )


def events(world):
    return [
        (event["message"], event["count"], event["lastTimestamp"][11:19])
        for event in world.ask("GET", EVENTS)["items"]
    ]


def test_the_same_event_is_counted(make_world):
    world = make_world("none")
    about, record = world.ask("POST", MAPS, {"metadata": {"name": "m"}}), recorder(world).record
    for message in ("one", "two", "one"):
        to_end(record(about, "Reason", message))
        world.pass_time(10)

    assert events(world) == [("one", 2, "00:00:20"), ("two", 1, "00:00:10")]
    assert world.refusals() == []


def test_an_event_that_is_gone_is_recorded_anew(make_world):
    world = make_world("none")
    about, record = world.ask("POST", MAPS, {"metadata": {"name": "m"}}), recorder(world).record
    to_end(record(about, "Reason", "one"))
    world.ask("DELETE", EVENTS)

    to_end(record(about, "Reason", "one"))

    assert events(world) == [("one", 1, "00:00:00")]


def test_events_of_an_object_are_listed_in_their_order(make_world):
    world = make_world("none")
    about, record = world.ask("POST", MAPS, {"metadata": {"name": "m"}}), recorder(world).record
    messages = [f"message {number}" for number in (5, 3, 9, 1)]
    for message in messages:
        to_end(record(about, "Reason", message))

    assert [message for message, _, _ in events(world)] == messages
