"""What reservations cost the LocalQueue of a Workload, as a queue manager sees Workloads come and go
(KEP-4136, Q-021, Q-262).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from reference_impl.kueue.quota.cluster_queue import BY_USAGE
from reference_impl.kueue.quota.consumption import Consumption
from reference_impl.kueue.quota.resources import FlavorResource
from reference_impl.kueue.sharing import AdmissionFairSharing
from reference_impl.kueue.workload.view import Workload

from ..scheduling.queue_side import Cluster, group

COST = {FlavorResource("default", "cpu"): 1000}
TRUE = {"status": "True", "reason": "r", "message": "", "lastTransitionTime": "2023-11-14T23:00:00Z"}
SHARES = {"admissionScope": {"admissionMode": BY_USAGE}}


def cluster(**spec: Any) -> Cluster:
    """One Workload that waits in cq, which admits by usage; its reservation was decided just now."""
    found = Cluster().flavors()
    settings = AdmissionFairSharing(half_life=600, sampling_interval=60, resource_weights={})
    found.queue_manager.consumption = Consumption(settings)
    found.queue("cq", group("cpu", default=[4]), local="lq", **(spec or SHARES))
    found.notes.local_queue(
        None, {"metadata": {"namespace": "ns", "name": "other"}, "spec": {"clusterQueue": "cq"}}
    )
    found.cpu("w", 1, queue="lq")
    found.queue_manager.charge(found.objects["ns/w"], "cq", COST)
    return found


def usage(found: Cluster, name: str = "ns/lq") -> float:
    assert found.queue_manager.consumption is not None
    return found.queue_manager.consumption.usage(name)


def put(found: Cluster, **parts: Any) -> None:
    found.put(Workload({**found.objects["ns/w"].object, **parts}))


def with_spec(**fields: Any) -> Callable[[Cluster], object]:
    return lambda found: put(found, spec={**found.objects["ns/w"].spec, **fields})


def finished(found: Cluster) -> None:
    put(found, status={"conditions": [{**TRUE, "type": "Finished"}]})


EVENTS = {
    "nothing": (lambda found: None, True),
    "another priority": (with_spec(priority=3), True),
    "it moves to another LocalQueue": (with_spec(queueName="other"), False),
    "it is switched off": (with_spec(active=False), False),
    "it has finished": (finished, False),
    "it is deleted": (lambda found: found.remove("w"), False),
}


@pytest.mark.parametrize(("act", "costs"), EVENTS.values(), ids=EVENTS)
def test_a_reservation_costs_something_until_its_workload_cannot_be_admitted_any_more(
    act: Callable[[Cluster], object], costs: bool
) -> None:
    found = cluster()
    act(found)

    assert (usage(found) > 0) is costs


def test_with_the_admission_the_cost_is_what_was_used() -> None:
    found = cluster()
    cost = usage(found)
    found.run_all()
    assert found.queue_manager.consumption is not None

    assert found.objects["ns/w"].is_admitted
    assert usage(found) == pytest.approx(cost)
    found.queue_manager.discharge(found.objects["ns/w"])
    assert usage(found) == pytest.approx(cost)


def test_where_usage_decides_nothing_nothing_is_charged() -> None:
    found = cluster(stopPolicy="None")

    assert usage(found) == 0
    assert found.queue_manager.usage_for(found.queue_manager.catalogue.cluster_queues["cq"]) is None


def test_without_fair_sharing_usage_decides_nothing_q_021() -> None:
    found = cluster()
    found.run_all()
    spec = found.queue_manager.catalogue.cluster_queues["cq"]
    (holding,) = found.queue_manager.ledger.holdings.values()
    assert found.queue_manager.usage_for(spec) == found.queue_manager.consumption.usage  # type: ignore[union-attr]

    found.queue_manager.consumption = None

    assert (found.queue_manager.usage_for(spec), found.queue_manager.usage_of(holding)) == (None, 0)


def test_a_holding_of_a_cluster_queue_that_is_gone_has_used_nothing_q_262() -> None:
    found = cluster()
    found.run_all()
    (holding,) = found.queue_manager.ledger.holdings.values()

    del found.queue_manager.catalogue.cluster_queues["cq"]

    assert found.queue_manager.usage_of(holding) == 0


USERS = {
    "by usage": (SHARES, True, True),
    "by rank": ({"stopPolicy": "None"}, True, False),
    "of a LocalQueue that is gone": (SHARES, False, False),
}


@pytest.mark.parametrize(("spec", "known", "counts"), USERS.values(), ids=USERS)
def test_what_a_holding_counts_by_the_usage_of_its_local_queue_q_262(
    spec: Any, known: bool, counts: bool
) -> None:
    found = cluster(**spec)
    found.run_all()
    assert found.queue_manager.consumption is not None
    (holding,) = found.queue_manager.ledger.holdings.values()
    found.queue_manager.consumption.restore("ns/lq", {"cpu": 5 * 10**9}, found.now)
    if not known:
        found.notes.local_queue(
            {"metadata": {"namespace": "ns", "name": "lq"}, "spec": {"clusterQueue": "cq"}}, None
        )

    assert (found.queue_manager.usage_of(holding) > 0) is counts
    assert found.queue_manager.usage_of(holding) >= 0


def test_a_local_queue_weighs_what_it_says_and_is_forgotten_when_it_goes() -> None:
    found = cluster()
    before = usage(found)
    old = {"metadata": {"namespace": "ns", "name": "lq"}, "spec": {"clusterQueue": "cq"}}
    new = {**old, "spec": {**old["spec"], "fairSharing": {"weight": "2"}}}

    found.notes.local_queue(old, new)
    assert usage(found) == pytest.approx(before / 2)
    found.notes.local_queue(new, {**new, "spec": {**new["spec"], "stopPolicy": "Hold"}})
    assert usage(found) == pytest.approx(before / 2)
    found.notes.local_queue(new, None)
    with pytest.raises(LookupError):
        usage(found)
