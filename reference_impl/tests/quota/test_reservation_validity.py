"""Whether a reservation still fits what the queues have become (AC-449, AC-474, AC-475)."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from reference_impl.kueue.checks.preemption_policy import may_preempt
from reference_impl.kueue.checks.rules import checks_for_flavors
from reference_impl.kueue.quota.resources import FlavorResource, Quota, ResourceGroups
from reference_impl.kueue.quota.usage_cache import UsageCache
from reference_impl.kueue.quota.validity import shortage
from reference_impl.kueue.scheduling.plans import PlannedPreemptions
from reference_impl.kueue.scheduling.preemption.classical import is_evicted

from ..scheduling.queue_side import Cluster, flavor, group


def lowered(cluster):
    cluster.queue("cq", group("cpu", default=[1]))


def lowered_by_a_little(cluster):
    cluster.queue("cq", group("cpu", default=["1999m"]))


def lowered_to_what_it_holds(cluster):
    cluster.queue("cq", group("cpu", default=[2]))


def in_a_cycle_of_cohorts(cluster):
    cluster.queue("cq", group("cpu", default=[4]), cohortName="all")
    cluster.notes.cohort(None, {"metadata": {"name": "all"}, "spec": {"parentName": "all"}})


def without_the_flavor(cluster):
    cluster.flavors("other").queue("cq", group("cpu", other=[4]))


def flavor_gone(cluster):
    cluster.notes.flavor(flavor(), None)


def untouched(_cluster):
    pass


def a_better_flavor(cluster):
    cluster.flavors("better").queue("cq", group("cpu", better=[4], default=[4]))


def queue_gone(cluster):
    cluster.notes.cluster_queue({"metadata": {"name": "cq"}}, None)


CHANGES = {
    "nothing changed": (untouched, ""),
    "a better flavor came (AC-475)": (a_better_flavor, ""),
    "less quota": (lowered, "insufficient quota for cpu in flavor default, 1 more needed"),
    "a thousandth less than it holds": (
        lowered_by_a_little,
        "insufficient quota for cpu in flavor default, 1m more needed",
    ),
    "no more quota than it holds": (lowered_to_what_it_holds, ""),
    "another flavor": (without_the_flavor, "flavor default is no longer available for cpu"),
    "the flavor is gone": (flavor_gone, "flavor default is no longer available for cpu"),
    "the ClusterQueue is gone": (queue_gone, "ClusterQueue cq is inactive"),
    "a cycle of cohorts (Q-131)": (in_a_cycle_of_cohorts, "ClusterQueue cq is inactive"),
}


CHECKED = {"admissionChecksStrategy": {"admissionChecks": [{"name": "c"}]}}


def objection(cluster):
    plans = PlannedPreemptions(
        ledger=cluster.queue_manager.ledger,
        catalogue=cluster.queue_manager.catalogue,
        preemptor=cluster.preemptor,
        required=checks_for_flavors,
        may_preempt=may_preempt,
        leaving=is_evicted,
    )
    return plans.reservation_state(cluster.objects["ns/w"]).objection


@pytest.mark.parametrize(("change", "expected"), CHANGES.values(), ids=CHANGES)
def test_what_makes_a_reservation_invalid(change, expected):
    cluster = Cluster().flavors().checked("c").queue("cq", group("cpu", default=[4]), **CHECKED).cpu("w", 2)
    cluster.run_all()

    change(cluster)

    assert objection(cluster) == expected


def test_nothing_is_wrong_with_who_holds_nothing():
    cluster = Cluster().flavors().queue("cq", group("cpu", default=[1])).cpu("w", 2)

    assert objection(cluster) == ""


def test_what_just_fits_is_not_missing():
    cpu, memory = FlavorResource("f", "cpu"), FlavorResource("f", "memory")
    ledger = UsageCache()
    ledger.set_cluster_queue("cq", "", ResourceGroups(quotas={cpu: Quota(2000), memory: Quota(2)}))

    missing = shortage(SimpleNamespace(cluster_queue="cq", usage={cpu: 2000, memory: 3}), ledger)

    assert missing == "insufficient quota for memory in flavor f, 1 more needed"
