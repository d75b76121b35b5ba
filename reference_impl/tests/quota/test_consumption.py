"""What LocalQueues have used: samples, half-lives, penalties and weights (KEP-4136)."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_impl.api.quantity import NANO
from reference_impl.kueue.quota.consumption import Consumption, in_nano, memory_share
from reference_impl.kueue.quota.resources import FlavorResource
from reference_impl.kueue.sharing import AdmissionFairSharing

CPU, GPU, MEMORY = FlavorResource("f", "cpu"), FlavorResource("g", "cpu"), FlavorResource("f", "memory")
ONE = Fraction(1)


def make_consumption(half_life: float = 600, weight: Fraction = ONE, **weights: float) -> Consumption:
    """LocalQueues `ns/a` and `ns/b`."""
    settings = AdmissionFairSharing(half_life=half_life, sampling_interval=60, resource_weights=weights)
    consumption = Consumption(settings)
    for name in ("ns/a", "ns/b"):
        consumption.know(name, weight)
    return consumption


def amounts(consumption: Consumption, name: str = "ns/a") -> dict[str, int]:
    consumed = consumption.consumption_of(name)
    return {} if consumed is None else dict(consumed.amounts)


def test_amounts_are_summed_over_flavors_cpu_in_thousandths() -> None:
    assert in_nano({CPU: 1500, GPU: 500, MEMORY: 3}) == {"cpu": 2 * NANO, "memory": 3 * NANO}


@pytest.mark.parametrize(
    ("seconds", "half_life", "rate"),
    [(0, 600, 0), (600, 600, 0.5), (1200, 600, 0.75), (60, 0, 0), (-5, 600, 0)],
)
def test_half_of_what_is_constant_is_remembered_after_a_half_life(
    seconds: float, half_life: float, rate: float
) -> None:
    assert memory_share(seconds, half_life) == rate


def test_a_sample_mixes_what_is_used_into_what_is_remembered() -> None:
    consumption = make_consumption()
    consumption.sample("ns/a", {CPU: 4000, MEMORY: 2}, 0)
    assert amounts(consumption) == {"cpu": 0, "memory": 0}
    consumption.sample("ns/a", {CPU: 3000, GPU: 1000, MEMORY: 2}, 600)
    assert amounts(consumption) == {"cpu": 2 * NANO, "memory": NANO}
    consumption.sample("ns/a", {}, 1200)
    assert amounts(consumption) == {"cpu": NANO, "memory": NANO // 2}


def test_without_a_half_life_nothing_is_remembered_and_nothing_charged() -> None:
    consumption = make_consumption(half_life=0)
    consumption.restore("ns/a", {"cpu": 5 * NANO}, 0)
    consumption.charge("ns/w", "ns/a", {CPU: 4000})
    assert consumption.usage("ns/a") == 5
    consumption.sample("ns/a", {CPU: 4000}, 60)
    assert (amounts(consumption), consumption.usage("ns/a")) == ({}, 0)


def test_a_reservation_costs_what_one_interval_would() -> None:
    consumption = make_consumption(half_life=60)
    consumption.charge("ns/w", "ns/a", {CPU: 4000})
    assert (consumption.usage("ns/a"), consumption.usage("ns/b"), amounts(consumption)) == (2, 0, {})


def test_a_reservation_of_the_same_workload_replaces_its_cost_sc_047() -> None:
    consumption = make_consumption(half_life=60)
    for _ in range(3):
        consumption.charge("ns/w", "ns/a", {CPU: 4000})
    assert consumption.usage("ns/a") == 2
    consumption.charge("ns/w", "ns/b", {CPU: 2000})
    assert (consumption.usage("ns/a"), consumption.usage("ns/b")) == (0, 1)


def test_a_cost_is_settled_with_the_admission_and_dropped_with_the_reservation_sc_180() -> None:
    consumption = make_consumption(half_life=60)
    consumption.sample("ns/a", {}, 0)
    consumption.charge("ns/w", "ns/a", {CPU: 4000})
    consumption.charge("ns/v", "ns/a", {CPU: 2000})
    consumption.admit("ns/w", {CPU: 4000}, 60)
    consumption.admit("ns/w", {CPU: 4000}, 120)
    assert (amounts(consumption), consumption.usage("ns/a"), consumption.due("ns/a")) == (
        {"cpu": 4 * NANO},
        5,
        120,
    )
    consumption.drop("ns/v")
    assert consumption.usage("ns/a") == 4


def test_resources_and_local_queues_have_weights() -> None:
    consumption = make_consumption(half_life=60, weight=Fraction(2), memory=0.5, gpu=9)
    consumption.restore("ns/a", {"cpu": 3 * NANO, "memory": 4 * NANO}, 0)
    assert consumption.usage("ns/a") == (3 + 2) / 2
    consumption.know("ns/b", Fraction(0))
    assert consumption.usage("ns/b") == math.inf


def test_of_a_local_queue_that_is_not_known_nothing_is_told() -> None:
    consumption = make_consumption()
    consumption.forget("ns/a")
    with pytest.raises(LookupError):
        consumption.usage("ns/a")


def test_a_local_queue_that_comes_back_has_used_nothing() -> None:
    consumption = make_consumption()
    consumption.restore("ns/a", {"cpu": 3 * NANO}, 0)
    consumption.charge("ns/w", "ns/a", {CPU: 4000})
    consumption.forget("ns/a")
    consumption.know("ns/a", ONE)
    assert (consumption.usage("ns/a"), consumption.consumption_of("ns/a")) == (0, None)


def test_what_was_told_before_is_taken_up_once() -> None:
    consumption = make_consumption()
    consumption.restore("ns/a", {"cpu": NANO}, 50)
    consumption.restore("ns/a", {"cpu": 9 * NANO}, 70)
    assert (amounts(consumption), consumption.due("ns/a"), consumption.due("ns/b")) == (
        {"cpu": NANO},
        110,
        None,
    )


steps = st.lists(
    st.tuples(st.sampled_from("xyz"), st.sampled_from(("ns/a", "ns/b")), st.none() | st.integers(0, 10**6)),
    max_size=30,
)


@given(steps)
def test_costs_add_up_to_those_of_open_reservations(history: list[tuple[str, str, int | None]]) -> None:
    consumption, still = make_consumption(), make_consumption()
    opened: dict[str, tuple[str, int]] = {}
    for name, local_queue, amount in history:
        if amount is None:
            consumption.drop(name)
            opened.pop(name, None)
        else:
            consumption.charge(name, local_queue, {CPU: amount})
            opened[name] = (local_queue, amount)
    for name, (local_queue, amount) in opened.items():
        still.charge(name, local_queue, {CPU: amount})
    assert [consumption.usage(name) for name in ("ns/a", "ns/b")] == [
        still.usage(name) for name in ("ns/a", "ns/b")
    ]
