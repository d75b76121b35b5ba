"""Time on a cluster of the fake backend: it passes exactly as told,
whatever is due in between (design.md §6).
"""

import pytest

from kueue_conformance.base.budget import Budgets
from kueue_conformance.case.context import CaseContext
from kueue_conformance.scenarios.dialect import known_dialects
from kueue_conformance.stage.clock import Clock
from kueue_conformance.wire.client import Client


@pytest.fixture
def clock(cluster):
    client = Client(cluster.transport, agent="test")
    return Clock(
        CaseContext(
            cluster, known_dialects()["v0.19"], Budgets(virtual=True), client, "TST-001", lambda: None
        )
    )


@pytest.mark.parametrize("seconds", [1, 59, 600.5])
def test_time_passes_as_told(clock, seconds):
    began = clock.current_time()

    clock.advance(seconds)

    assert clock.current_time() == began + seconds


def test_wait_in_vain_ends_with_its_time(cluster):
    end = cluster.now() + 30

    assert not cluster.wait(lambda: False, 30, lambda: False)
    assert cluster.now() == end
