"""A Cohort shows its share where fair sharing is on, and none where it is off (AC-050, Q-376)."""

import asyncio

import pytest

from reference_impl.api.kinds import COHORTS
from reference_impl.api.resource import Key
from reference_impl.kueue.queues.cohorts import METRIC, Cohorts
from reference_impl.kueue.queues.shares import Shares, measure
from reference_impl.kueue.scheduling.metrics import METRICS
from reference_impl.runtime.latest_objects import LatestObjects
from reference_impl.runtime.metrics import Registry

from ..scheduling.preemption.arenas import FairArena

RING = Key("", "ring")


class Written:
    """A client that keeps what it is told to write."""

    def __init__(self):
        self.statuses = []

    async def update_status(self, resource, obj):
        self.statuses.append((resource, obj["status"]))
        return {**obj, "metadata": {**obj["metadata"], "resourceVersion": "2"}}


def make_arena():
    """A ring with a weight below a root, of whose 8 it borrows 2."""
    arena = FairArena().cohort("root", cpu=8).cohort("ring", "root", "0.5").member("q", "ring", cpu=0)
    return arena.holds("w", "q", cpu=2)


def reconcile(store, *, enabled):
    """Writes and metrics of one reconciliation of the cohort ring."""
    client, metrics = Written(), Registry()
    metrics.add(METRICS)
    shares = Shares(make_arena().queue_manager.ledger.cohort_trees, enabled=enabled)
    asyncio.run(Cohorts(client, metrics, shares, LatestObjects(store), measure).reconcile(RING))
    return client.statuses, metrics


def ring(status):
    obj = {"metadata": {"name": "ring", "resourceVersion": "1"}}
    return {RING: obj if status is None else {**obj, "status": status}}


@pytest.mark.parametrize(
    ("status", "written"),
    [
        ({"fairSharing": {"weightedShare": 5}, "other": 1}, [(COHORTS, {"other": 1})]),
        ({"other": 1}, []),
        (None, []),
    ],
    ids=["a share", "no share", "no status"],
)
def test_a_share_is_taken_away_where_none_is_told(status, written):
    assert reconcile(ring(status), enabled=False)[0] == written


@pytest.mark.parametrize(
    ("status", "written"),
    [
        (None, [(COHORTS, {"fairSharing": {"weightedShare": 500}})]),
        (
            {"fairSharing": {"weightedShare": 5}, "other": 1},
            [(COHORTS, {"fairSharing": {"weightedShare": 500}, "other": 1})],
        ),
        ({"fairSharing": {"weightedShare": 500}}, []),
    ],
    ids=["no status", "another share", "the share"],
)
def test_a_share_is_told_once_q_376(status, written):
    statuses, metrics = reconcile(ring(status), enabled=True)

    assert statuses == written
    assert metrics.value(METRIC, "ring") == 500


def test_a_cohort_that_is_gone_is_left_alone():
    statuses, metrics = reconcile({}, enabled=True)

    assert (statuses, METRIC in metrics.exposition()) == ([], False)
