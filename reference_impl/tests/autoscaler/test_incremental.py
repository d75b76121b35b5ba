"""What an autoscaler remembers of the loop before changes nothing: it does the same as one that looks at
everything every time.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from reference_impl.api import kinds
from reference_impl.api.resource import Json, Key
from reference_impl.autoscaler.booking import ConsumerPlaces
from reference_impl.autoscaler.requests.pods import CONSUME
from reference_impl.autoscaler.requests.request import BEST_EFFORT_ATOMIC, CHECK_CAPACITY
from reference_impl.autoscaler.requests.selection import DueRequests, SelectedRequests
from reference_impl.autoscaler.simulation.snapshot import ClusterSnapshot

from .laboratory import Laboratory
from .naive import naive
from .objects import condition, make_proposed, node, pod_object, pods, request, template
from .schedules import schedule
from .world import World

SEEDS = range(40)
BATCHES = {"check_capacity_batch_processing": True}


def story(seed: int, **flags: Json) -> tuple[Any, ...]:
    """Carry out a schedule in which others write too; return all that the autoscaler did."""
    random, world, problems = Random(seed), World(**flags), []
    for step in schedule(seed):
        _meddle(world, random)
        try:
            world.carry_out(step)
        except AssertionError as error:  # the checks of a world in which nobody else writes
            problems.append(str(error))
    world.server.put(kinds.POD_TEMPLATES, template())
    for seconds in (1.0, 45.0, 45.0, 601.0, 1.0, 7 * 86_400.0, 1.0, 7 * 86_400.0, 1.0):
        world.clock.time += seconds
        world.loop()
    return world.server.writes, list(world.model.journal), world.requests(), problems


def _meddle(world: World, random: Random) -> None:
    """Change a request, a template or a pod as another client."""
    requests = world.server.store(world.rules.request_resource)
    match random.randrange(8):
        case 0 if world.asked and (stored := requests.get(Key("ns", random.choice(world.asked)))):
            conditions = condition(
                random.choice(["Provisioned", "Failed", "Accepted"]),
                random.choice(["True", "False", "Unknown"]),
            )
            world.server.put(
                world.rules.request_resource,
                {**stored, "status": {"conditions": random.choice([[], [conditions]])}},
            )
            world._before.pop(stored["metadata"]["name"], None)
        case 1:
            world.server.put(kinds.POD_TEMPLATES, template(random.choice(["1", "2"])))
        case 2:
            world.server.store(kinds.POD_TEMPLATES).put(Key("ns", "t"), None)
        case 3:
            pod = pod_object(f"p-{random.randrange(3)}", annotations=random.choice([{}, {CONSUME: "r-0"}]))
            world.server.put(kinds.PODS, pod)


@pytest.mark.parametrize(
    "flags", [{}, BATCHES, {"scale_down": False}], ids=["one by one", "batches", "no scale-down"]
)
def test_it_does_the_same_as_one_that_remembers_nothing(flags: Json) -> None:
    for seed in SEEDS:
        fast = story(seed, **flags)
        with naive():
            slow = story(seed, **flags)
        assert fast == slow, f"seed {seed}"


@pytest.mark.parametrize("dialect", ["aep", "ca-1.30", "ca-1.37"])
def test_so_does_every_dialect(dialect: str) -> None:
    classes = (
        ["check-capacity.kubernetes.io", "atomic-scale-up.kubernetes.io"]
        if dialect == "aep"
        else [CHECK_CAPACITY, BEST_EFFORT_ATOMIC]
    )

    def told(seed: int) -> Json:
        random, laboratory = Random(seed), Laboratory(nodes=2, rules=dialect)
        for number in range(12):
            new_request = request(f"r-{number}", random.randint(1, 6), random.choice(classes))
            if dialect == "aep":
                seconds = {"ValidUntilSeconds": str(random.choice([0, 30, 3600]))}
                new_request = make_proposed(
                    f"r-{number}", random.randint(1, 6), random.choice(classes), seconds
                )
            laboratory.ask(new_request)
            laboratory.loop(random.choice([0.25, 1.0, 61.0, 601.0]))
        laboratory.loop(8 * 86_400.0)
        laboratory.loop(1.0)
        remaining = [
            request["metadata"]["name"]
            for request in laboratory.server.store(laboratory.rules.request_resource)
        ]
        return laboratory.server.writes, remaining

    for seed in range(10):
        fast = told(seed)
        with naive():
            assert told(seed) == fast, f"seed {seed}"


def test_requests_are_kept_in_their_order_as_they_come_change_and_go() -> None:
    random, laboratory = Random(0), Laboratory()
    requests, store = laboratory._loop.requests, laboratory.server.store(kinds.PROVISIONING_REQUESTS)
    booked, due = (
        SelectedRequests(requests, lambda request: request.is_true("Provisioned")),
        DueRequests(requests, lambda request: request.created + 60),
    )
    for _ in range(300):
        name = f"r-{random.randrange(20)}"
        if random.random() < 0.3:
            store.put(Key("ns", name), None)
        else:
            conditions = [condition("Provisioned", random.choice(["True", "False"]))]
            created = f"2026-01-01T00:0{random.randrange(3)}:00Z"
            laboratory.server.put(
                kinds.PROVISIONING_REQUESTS, request(name, conditions=conditions, created=created).object
            )
        current_time = request(created="2026-01-01T00:02:00Z").created
        views = (
            [request.object for request in requests.all()],
            [request.object for request in booked()],
            [request.object for request in due(current_time)],
        )
        with naive():
            assert views == (
                [request.object for request in requests.all()],
                [request.object for request in booked()],
                [request.object for request in due(current_time)],
            )


def test_what_is_left_out_comes_back_when_it_changes() -> None:
    laboratory = Laboratory()
    requests = laboratory._loop.requests
    laboratory.ask(request("a"))
    every = SelectedRequests(requests, lambda _: True)
    (first,) = every()
    every.leave_out(first)
    assert every() == []

    laboratory.server.put(kinds.PROVISIONING_REQUESTS, first.object)

    assert [request.key.name for request in every()] == ["a"]


def test_pods_are_searched_a_place_again_where_a_node_holds_something_else() -> None:
    nodes, booked = [node("a"), node("b")], pods(6)
    places = ConsumerPlaces({})
    first = ClusterSnapshot(nodes)
    places.place(booked, first)
    assert [len(node.pods) for node in first.node_infos] == [4, 2]

    fuller = ClusterSnapshot(nodes)
    for pod in pods(3):
        fuller.place_anyway(pod, fuller["a"])
    places.place(booked[1:], fuller)

    assert [len(node.pods) for node in fuller.node_infos] == [4, 4]
