"""Schedules against our server have an order; a server that breaks it on purpose is caught."""

import pytest

from fakecluster.faults import Repeat, Stale

from .campaign import base, judge, judge_one
from .clients import Notes
from .schedule import Schedule
from .servers import OurServer


@pytest.fixture(autouse=True, scope="module")
def end_of_base():
    """Stop the cluster of which all are forks: tests of other modules begin without one."""
    yield
    base().stop()
    base.cache_clear()


@pytest.mark.parametrize("seed", range(5))
def test_one_order_explains_what_clients_see(seed):
    assert judge_one(seed, 120).violations == []


@pytest.mark.parametrize(
    ("effect", "verb", "rule"),
    [
        pytest.param(Repeat(), "watch", "no event comes twice", id="twice"),
        pytest.param(Stale(4), "list", "no read goes back", id="stale"),
    ],
)
def test_a_server_that_breaks_it_is_caught(effect, verb, rule):
    server = OurServer(base().fork(on_call=True))
    server.cluster.faults.add(effect, verb=verb, resource="configmaps", precaution=True)
    schedule = Schedule(server, 1, Notes())
    # Other disturbances would take the fault back.
    schedule.is_disturbed = False

    rules = {violation.rule for violation in judge(schedule, 1).violations}

    server.stop()
    assert rule in rules
