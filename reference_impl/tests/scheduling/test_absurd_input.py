"""Absurd input is refused or waits, and never goes round
in circles (issue of absurd input: Q-131, Q-151, QC-01).
"""

from __future__ import annotations

from typing import Any

import pytest

from .preemption.arenas import Arena, policies
from .queue_side import Cluster, flavor, group, pod_set

LOWER = policies("LowerPriority")
FAILED = "couldn't assign flavors to pod set main: "
MAXIMUM = f"{FAILED}insufficient quota for cpu in flavor default, previously considered podsets requests (0) + current podset request "


def cohort(found: Cluster, name: str, parent: str = "") -> Cluster:
    spec = {"parentName": parent} if parent else {}
    found.notes.cohort(None, {"metadata": {"name": name}, "spec": spec})
    return found


def in_a_circle() -> Arena:
    """Queue cq in cohort one, which is below two, which is below one."""
    found = Arena().member("cq", "one", cpu=2).holds("holder", "cq", cpu=2)
    cohort(cohort(found, "one", "two"), "two", "one")
    return found


def test_below_a_cycle_of_cohorts_everything_waits_m_021() -> None:
    found = in_a_circle().cpu("w", 1)

    assert found.run_all() == {"w": "ClusterQueue cq is inactive"}
    assert found.wake().run_all() == {}


def test_a_holder_that_ends_in_a_cycle_of_cohorts_hangs_nothing_qc_01() -> None:
    found = in_a_circle().cpu("w", 2)
    found.run_all()
    found.remove("holder").wake().run_all()
    cohort(found, "two").notes.cohort(None, {"metadata": {"name": "one"}, "spec": {}})

    assert found.wake().run_all() == {"w": "reserved"}


def test_a_victim_below_a_cycle_of_cohorts_lets_go_qc_01() -> None:
    found = Arena().member("cq", "one", LOWER, cpu=2).holds("low", "cq", -1, cpu=2).cpu("high", 2)
    found.run_all()
    cohort(cohort(found, "one", "two"), "two", "one")
    found.release("low").wake().run_all()
    cohort(found, "two").notes.cohort(None, {"metadata": {"name": "one"}, "spec": {}})

    assert found.wake().run_all()["high"] == "reserved"


QUOTAS = {
    "a negative quota is none": ("-5", "1", f"{MAXIMUM}(1) > maximum capacity (0)"),
    "a quota beyond 64 bits is enough": ("1e30", "1e20", "reserved"),
    "a request beyond 64 bits does not fit": (
        "5",
        "1e20",
        f"{MAXIMUM}(9223372036854775807m) > maximum capacity (5)",
    ),
    "a request of less than nothing takes nothing": ("1", "-5", "reserved"),
}


@pytest.mark.parametrize(("quota", "request_", "expected"), QUOTAS.values(), ids=QUOTAS)
def test_absurd_quantities(quota: str, request_: str, expected: str) -> None:
    found = Cluster().flavors().queue("cq", group("cpu", default=[quota]))

    assert found.cpu("w", request_).run_all() == {"w": expected}


def test_what_a_cohort_has_beyond_64_bits_is_counted_q_080() -> None:
    found = Arena().member("a", "all", cpu="9P").member("b", "all", cpu="9P")
    found.holds("small", "a", cpu=1).holds("large", "b", cpu="9P")

    assert found.cpu("more", "9P", queue="a").run_all()["more"].endswith("1 more needed")
    assert found.cpu("rest", "8999999999999999", queue="a").run_all()["rest"] == "reserved"


def test_what_is_without_a_limit_is_given_once_q_080() -> None:
    found = Cluster().flavors().queue("cq", group("cpu", default=["1e30"]))
    assert found.cpu("all", "1e20").run_all() == {"all": "reserved"}
    assert found.admission("all")["podSetAssignments"][0]["resourceUsage"] == {"cpu": "9223372036854775807m"}

    short = f"{FAILED}insufficient unused quota for cpu in flavor default, "
    assert found.cpu("one", 1).run_all() == {"one": f"{short}1 more needed"}
    assert found.cpu("most", "1e20").run_all() == {"most": f"{short}<unlimited> more needed"}


def test_ten_thousand_pods_are_reduced_to_those_that_fit_q_186() -> None:
    found = Cluster().flavors().queue("cq", group("cpu", default=[7]))
    found.workload("w", pod_set(count=10_000, requests={"cpu": 1}, min_count=1))

    assert found.run() == {"w": "reserved"}
    assert found.admission("w")["podSetAssignments"][0]["count"] == 7


def test_ten_thousand_pods_of_many_cores_wait_in_words_q_095() -> None:
    found = Cluster().flavors().queue("cq", group("cpu", default=[1]))
    found.workload("w", pod_set(count=10_000, requests={"cpu": 10**15}))

    assert found.run() == {"w": f"{MAXIMUM}(9223372036854775807m) > maximum capacity (1)"}


def test_priorities_at_both_ends_are_compared_as_numbers_q_250() -> None:
    found = Arena().member("cq", "", LOWER, cpu=1).holds("least", "cq", -(2**31), cpu=1)
    found.cpu("most", 1, priority=2**31 - 1).cpu("none", 1)

    assert found.run()["most"].endswith("Pending the preemption of 1 workload(s)")
    assert found.preempted == {"most": {"least": "InClusterQueue"}}


@pytest.mark.parametrize("strategy", ["StrictFIFO", "BestEffortFIFO"])
def test_a_resource_that_no_group_covers_waits_m_050(strategy: str) -> None:
    found = Cluster().flavors().queue("cq", group("cpu", default=[1]), queueingStrategy=strategy)
    found.workload("w", pod_set(requests={"cpu": 1, "example.com/none": 1}))

    assert found.run_all() == {"w": f"{FAILED}resource example.com/none unavailable in ClusterQueue"}


def test_a_flavor_that_is_deleted_under_a_plan_stops_the_queue_until_it_is_back_q_156() -> None:
    found = Arena().member("cq", "", LOWER, cpu=2).holds("low", "cq", -1, cpu=2).cpu("high", 2)
    found.run_all()
    found.notes.flavor(flavor(), None)
    found.release("low")
    assert found.wake().run_all() == {}

    found.notes.flavor(None, flavor())
    assert found.wake().run_all()["high"] == "reserved"


def test_a_victim_that_never_ends_is_waited_for_without_another_one_q_293() -> None:
    found = (
        Arena().member("cq", "", LOWER, cpu=4).holds("low", "cq", -2, cpu=2).holds("other", "cq", -1, cpu=2)
    )
    found.cpu("high", 2).run_all()
    told = [found.wake().run_all() for _ in range(10)]

    assert told == [{}] * 10
    assert found.preempted == {"high": {"low": "InClusterQueue"}}


def drained(stop: str) -> Any:
    """What b borrows is reclaimed by a; then b is stopped."""
    found = Arena().member("a", "all", policies(reclaim="Any"), cpu=2).member("b", "all", cpu=2)
    found.holds("lent", "b", cpu=3).cpu("w", 2, queue="a").run_all()
    return found.queue("b", group("cpu", default=[2]), cohortName="all", stopPolicy=stop)


@pytest.mark.parametrize("stop", ["Hold", "HoldAndDrain"])
def test_the_quota_of_a_stopped_queue_stays_lent_until_its_workload_let_go_qc_08(stop: str) -> None:
    found = drained(stop)
    assert found.wake().run_all()["w"].endswith("flavor default, 1 more needed")

    found.release("lent")
    assert found.wake().run_all() == {"w": "reserved"}
