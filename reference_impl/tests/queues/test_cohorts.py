"""A Cohort shows no share where fair sharing is off (AC-050)."""

import asyncio

import pytest

from reference_impl.api.kinds import COHORTS
from reference_impl.api.resource import Key
from reference_impl.queues.cohorts import Cohorts

RING = Key("", "ring")


class Written:
    """A client that keeps what it is told to write."""

    def __init__(self):
        self.statuses = []

    async def update_status(self, resource, obj):
        self.statuses.append((resource, obj["status"]))


@pytest.mark.parametrize(
    ("status", "written"),
    [
        ({"fairSharing": {"weightedShare": 5}, "other": 1}, [(COHORTS, {"other": 1})]),
        ({"other": 1}, []),
        (None, []),
    ],
    ids=["a share", "no share", "no status"],
)
def test_share_is_taken_away(status, written):
    client = Written()
    cohort = {"metadata": {"name": "ring"}} | ({"status": status} if status is not None else {})

    asyncio.run(Cohorts(client, {RING: cohort}).reconcile(RING))

    assert client.statuses == written


def test_cohort_that_is_gone_is_left_alone():
    client = Written()

    asyncio.run(Cohorts(client, {}).reconcile(RING))

    assert client.statuses == []
