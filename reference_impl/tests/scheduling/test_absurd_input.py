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


def cohort(cluster: Cluster, name: str, parent: str = "") -> Cluster:
    spec = {"parentName": parent} if parent else {}
    cluster.notes.cohort(None, {"metadata": {"name": name}, "spec": spec})
    return cluster


def in_a_circle() -> Arena:
    """Queue cq in cohort one, which is below two, which is below one."""
    arena = Arena().member("cq", "one", cpu=2).holds("holder", "cq", cpu=2)
    cohort(cohort(arena, "one", "two"), "two", "one")
    return arena


def test_below_a_cycle_of_cohorts_everything_waits_m_021() -> None:
    cluster = in_a_circle().cpu("w", 1)

    assert cluster.run_all() == {"w": "ClusterQueue cq is inactive"}
    assert cluster.wake().run_all() == {}


def test_a_holder_that_ends_in_a_cycle_of_cohorts_hangs_nothing_qc_01() -> None:
    cluster = in_a_circle().cpu("w", 2)
    cluster.run_all()
    cluster.remove("holder").wake().run_all()
    cohort(cluster, "two").notes.cohort(None, {"metadata": {"name": "one"}, "spec": {}})

    assert cluster.wake().run_all() == {"w": "reserved"}


def test_a_victim_below_a_cycle_of_cohorts_lets_go_qc_01() -> None:
    arena = Arena().member("cq", "one", LOWER, cpu=2).holds("low", "cq", -1, cpu=2).cpu("high", 2)
    arena.run_all()
    cohort(cohort(arena, "one", "two"), "two", "one")
    arena.release("low").wake().run_all()
    cohort(arena, "two").notes.cohort(None, {"metadata": {"name": "one"}, "spec": {}})

    assert arena.wake().run_all()["high"] == "reserved"


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
    cluster = Cluster().flavors().queue("cq", group("cpu", default=[quota]))

    assert cluster.cpu("w", request_).run_all() == {"w": expected}


def test_what_a_cohort_has_beyond_64_bits_is_counted_q_080() -> None:
    arena = Arena().member("a", "all", cpu="9P").member("b", "all", cpu="9P")
    arena.holds("small", "a", cpu=1).holds("large", "b", cpu="9P")

    assert arena.cpu("more", "9P", queue="a").run_all()["more"].endswith("1 more needed")
    assert arena.cpu("rest", "8999999999999999", queue="a").run_all()["rest"] == "reserved"


def test_what_is_without_a_limit_is_given_once_q_080() -> None:
    cluster = Cluster().flavors().queue("cq", group("cpu", default=["1e30"]))
    assert cluster.cpu("all", "1e20").run_all() == {"all": "reserved"}
    assert cluster.admission("all")["podSetAssignments"][0]["resourceUsage"] == {
        "cpu": "9223372036854775807m"
    }

    short = f"{FAILED}insufficient unused quota for cpu in flavor default, "
    assert cluster.cpu("one", 1).run_all() == {"one": f"{short}1 more needed"}
    assert cluster.cpu("most", "1e20").run_all() == {"most": f"{short}<unlimited> more needed"}


def test_ten_thousand_pods_are_reduced_to_those_that_fit_q_186() -> None:
    cluster = Cluster().flavors().queue("cq", group("cpu", default=[7]))
    cluster.workload("w", pod_set(count=10_000, requests={"cpu": 1}, min_count=1))

    assert cluster.run() == {"w": "reserved"}
    assert cluster.admission("w")["podSetAssignments"][0]["count"] == 7


def test_ten_thousand_pods_of_many_cores_wait_in_words_q_095() -> None:
    cluster = Cluster().flavors().queue("cq", group("cpu", default=[1]))
    cluster.workload("w", pod_set(count=10_000, requests={"cpu": 10**15}))

    assert cluster.run() == {"w": f"{MAXIMUM}(9223372036854775807m) > maximum capacity (1)"}


def test_priorities_at_both_ends_are_compared_as_numbers_q_250() -> None:
    arena = Arena().member("cq", "", LOWER, cpu=1).holds("least", "cq", -(2**31), cpu=1)
    arena.cpu("most", 1, priority=2**31 - 1).cpu("none", 1)

    assert arena.run()["most"].endswith("Pending the preemption of 1 workload(s)")
    assert arena.preempted == {"most": {"least": "InClusterQueue"}}


@pytest.mark.parametrize("strategy", ["StrictFIFO", "BestEffortFIFO"])
def test_a_resource_that_no_group_covers_waits_m_050(strategy: str) -> None:
    cluster = Cluster().flavors().queue("cq", group("cpu", default=[1]), queueingStrategy=strategy)
    cluster.workload("w", pod_set(requests={"cpu": 1, "example.com/none": 1}))

    assert cluster.run_all() == {"w": f"{FAILED}resource example.com/none unavailable in ClusterQueue"}


def test_a_flavor_that_is_deleted_under_a_plan_stops_the_queue_until_it_is_back_q_156() -> None:
    arena = Arena().member("cq", "", LOWER, cpu=2).holds("low", "cq", -1, cpu=2).cpu("high", 2)
    arena.run_all()
    arena.notes.flavor(flavor(), None)
    arena.release("low")
    assert arena.wake().run_all() == {}

    arena.notes.flavor(None, flavor())
    assert arena.wake().run_all()["high"] == "reserved"


def test_a_victim_that_never_ends_is_waited_for_without_another_one_q_293() -> None:
    arena = (
        Arena().member("cq", "", LOWER, cpu=4).holds("low", "cq", -2, cpu=2).holds("other", "cq", -1, cpu=2)
    )
    arena.cpu("high", 2).run_all()
    verdicts = [arena.wake().run_all() for _ in range(10)]

    assert verdicts == [{}] * 10
    assert arena.preempted == {"high": {"low": "InClusterQueue"}}


def drain(stop: str) -> Any:
    """What b borrows is reclaimed by a; then b is stopped."""
    arena = Arena().member("a", "all", policies(reclaim="Any"), cpu=2).member("b", "all", cpu=2)
    arena.holds("lent", "b", cpu=3).cpu("w", 2, queue="a").run_all()
    return arena.queue("b", group("cpu", default=[2]), cohortName="all", stopPolicy=stop)


@pytest.mark.parametrize("stop", ["Hold", "HoldAndDrain"])
def test_the_quota_of_a_stopped_queue_stays_lent_until_its_workload_let_go_qc_08(stop: str) -> None:
    arena = drain(stop)
    assert arena.wake().run_all()["w"].endswith("flavor default, 1 more needed")

    arena.release("lent")
    assert arena.wake().run_all() == {"w": "reserved"}
