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


def make_cluster(**spec: Any) -> Cluster:
    """One Workload that waits in cq, which admits by usage; its reservation was decided just now."""
    cluster = Cluster().flavors()
    settings = AdmissionFairSharing(half_life=600, sampling_interval=60, resource_weights={})
    cluster.queue_manager.consumption = Consumption(settings)
    cluster.queue("cq", group("cpu", default=[4]), local="lq", **(spec or SHARES))
    cluster.notes.local_queue(
        None, {"metadata": {"namespace": "ns", "name": "other"}, "spec": {"clusterQueue": "cq"}}
    )
    cluster.cpu("w", 1, queue="lq")
    cluster.queue_manager.charge(cluster.objects["ns/w"], "cq", COST)
    return cluster


def usage(cluster: Cluster, name: str = "ns/lq") -> float:
    assert cluster.queue_manager.consumption is not None
    return cluster.queue_manager.consumption.usage(name)


def put(cluster: Cluster, **fields: Any) -> None:
    cluster.put(Workload({**cluster.objects["ns/w"].object, **fields}))


def with_spec(**fields: Any) -> Callable[[Cluster], object]:
    return lambda cluster: put(cluster, spec={**cluster.objects["ns/w"].spec, **fields})


def finish(cluster: Cluster) -> None:
    put(cluster, status={"conditions": [{**TRUE, "type": "Finished"}]})


EVENTS = {
    "nothing": (lambda _: None, True),
    "another priority": (with_spec(priority=3), True),
    "it moves to another LocalQueue": (with_spec(queueName="other"), False),
    "it is switched off": (with_spec(active=False), False),
    "it has finished": (finish, False),
    "it is deleted": (lambda cluster: cluster.remove("w"), False),
}


@pytest.mark.parametrize(("act", "costs"), EVENTS.values(), ids=EVENTS)
def test_a_reservation_costs_something_until_its_workload_cannot_be_admitted_any_more(
    act: Callable[[Cluster], object], costs: bool
) -> None:
    cluster = make_cluster()
    act(cluster)

    assert (usage(cluster) > 0) is costs


def test_with_the_admission_the_cost_is_what_was_used() -> None:
    cluster = make_cluster()
    cost = usage(cluster)
    cluster.run_all()
    assert cluster.queue_manager.consumption is not None

    assert cluster.objects["ns/w"].is_admitted
    assert usage(cluster) == pytest.approx(cost)
    cluster.queue_manager.discharge(cluster.objects["ns/w"])
    assert usage(cluster) == pytest.approx(cost)


def test_where_usage_decides_nothing_nothing_is_charged() -> None:
    cluster = make_cluster(stopPolicy="None")

    assert usage(cluster) == 0
    assert cluster.queue_manager.usage_for(cluster.queue_manager.catalogue.cluster_queues["cq"]) is None


def test_without_fair_sharing_usage_decides_nothing_q_021() -> None:
    cluster = make_cluster()
    cluster.run_all()
    spec = cluster.queue_manager.catalogue.cluster_queues["cq"]
    (holding,) = cluster.queue_manager.ledger.holdings.values()
    consumption: Any = cluster.queue_manager.consumption
    assert cluster.queue_manager.usage_for(spec) == consumption.usage

    cluster.queue_manager.consumption = None

    assert (cluster.queue_manager.usage_for(spec), cluster.queue_manager.usage_of(holding)) == (None, 0)


def test_a_holding_of_a_cluster_queue_that_is_gone_has_used_nothing_q_262() -> None:
    cluster = make_cluster()
    cluster.run_all()
    (holding,) = cluster.queue_manager.ledger.holdings.values()

    del cluster.queue_manager.catalogue.cluster_queues["cq"]

    assert cluster.queue_manager.usage_of(holding) == 0


USERS = {
    "by usage": (SHARES, True, True),
    "by rank": ({"stopPolicy": "None"}, True, False),
    "of a LocalQueue that is gone": (SHARES, False, False),
}


@pytest.mark.parametrize(("spec", "is_known", "counts"), USERS.values(), ids=USERS)
def test_what_a_holding_counts_by_the_usage_of_its_local_queue_q_262(
    spec: Any, is_known: bool, counts: bool
) -> None:
    cluster = make_cluster(**spec)
    cluster.run_all()
    assert cluster.queue_manager.consumption is not None
    (holding,) = cluster.queue_manager.ledger.holdings.values()
    cluster.queue_manager.consumption.restore("ns/lq", {"cpu": 5 * 10**9}, cluster.now)
    if not is_known:
        cluster.notes.local_queue(
            {"metadata": {"namespace": "ns", "name": "lq"}, "spec": {"clusterQueue": "cq"}}, None
        )

    assert (cluster.queue_manager.usage_of(holding) > 0) is counts
    assert cluster.queue_manager.usage_of(holding) >= 0


def test_a_local_queue_weighs_what_it_says_and_is_forgotten_when_it_goes() -> None:
    cluster = make_cluster()
    before = usage(cluster)
    old = {"metadata": {"namespace": "ns", "name": "lq"}, "spec": {"clusterQueue": "cq"}}
    new = {**old, "spec": {**old["spec"], "fairSharing": {"weight": "2"}}}

    cluster.notes.local_queue(old, new)
    assert usage(cluster) == pytest.approx(before / 2)
    cluster.notes.local_queue(new, {**new, "spec": {**new["spec"], "stopPolicy": "Hold"}})
    assert usage(cluster) == pytest.approx(before / 2)
    cluster.notes.local_queue(new, None)
    with pytest.raises(LookupError):
        usage(cluster)
