"""No schedule of cloud faults, refused writes and restarts breaks PR-377, books twice, leaves a request
without an answer or leaks a node.

`make schedules` carries out two thousand of them, and more with ARGS.
"""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference_impl.autoscaler.requests.request import BEST_EFFORT_ATOMIC

from .schedules import broken, schedule
from .world import PODS_PER_NODE, World

CHUNKS, EACH = 8, 25


@pytest.mark.parametrize(
    "chunk", [pytest.param(number, id=f"from seed {number * EACH}") for number in range(CHUNKS)]
)
def test_nothing_is_broken(chunk):
    failures = {seed: broken(schedule(seed)) for seed in range(chunk * EACH, (chunk + 1) * EACH)}

    assert {seed: why for seed, why in failures.items() if why} == {}


@given(st.lists(st.integers(1, 9), min_size=1, max_size=6))
@settings(derandomize=True, deadline=None, max_examples=60, database=None)
def test_nodes_are_as_many_as_the_pods_of_all_requests_need(counts):
    world = World(most=30)

    for count in counts:
        world.carry_out(("asks", BEST_EFFORT_ATOMIC, count))
    for _ in range(10):
        world.advance()

    assert world.targets == math.ceil(sum(counts) / PODS_PER_NODE)
    assert len(world.nodes()) == world.targets
    assert world.booked() == sum(counts)
