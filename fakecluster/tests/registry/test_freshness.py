"""Reads of a revision that is still to come:
they wait for it, three seconds of the cluster's time (FK-139).
"""

from __future__ import annotations

import asyncio
from typing import Any

import orjson
import pytest

from fakecluster.api.outcome import Outcome, Response, Watch
from fakecluster.api.registry import Registry
from fakecluster.api.status import StatusError
from fakecluster.api.steps import Pending, RevisionWait
from fakecluster.base.clock import VirtualClock
from fakecluster.cluster.fake_cluster import FakeCluster
from fakecluster.registry.machinery import Api
from fakecluster.server.waits import wait_for_revision
from fakecluster.store import Store

from ..conftest import KINDS, Asker

PATH = "/api/v1/namespaces/default/configmaps"
INITIAL = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
READS = (
    pytest.param(f"{PATH}/later?resourceVersion=1002", Response, id="get"),
    pytest.param(f"{PATH}?resourceVersion=1002", Response, id="list"),
    pytest.param(f"{PATH}?resourceVersion=1002&limit=1", Response, id="page"),
    pytest.param(f"{PATH}?watch=1&resourceVersion=1002&{INITIAL}", Watch, id="watch"),
)


@pytest.fixture
def patient() -> Asker:
    asker = Asker(Api(Store(), Registry(KINDS), VirtualClock(0.0), patience=3.0))
    asker.send("POST", "/api/v1/namespaces", {"metadata": {"name": "default"}})
    return asker


def waiting(asker: Asker, path: str) -> Pending[Outcome]:
    response = asker.send("GET", path)
    assert isinstance(response, Pending)
    return response


@pytest.mark.parametrize(("path", "kind"), READS)
def test_a_read_waits_for_the_revision_fk_139(patient: Asker, path: str, kind: type) -> None:
    response = waiting(patient, path)
    patient.send("POST", PATH, {"metadata": {"name": "later"}})

    answer = response.resume(())

    assert response.wait == RevisionWait(revision=1002, seconds=3.0)
    assert getattr(answer, "code", 200) == 200
    assert isinstance(answer, kind)


@pytest.mark.parametrize(
    ("query", "seconds", "message"),
    [
        ("", 3.0, "Timeout: Too large resource version: 1002, current: 1001"),
        ("&timeout=1s", 1.0, "Timeout: request did not complete within the allotted timeout"),
        ("&timeout=9s", 3.0, "Timeout: Too large resource version: 1002, current: 1001"),
    ],
    ids=["as long as the server waits", "less by the client", "more by the client"],
)
def test_whoever_waits_in_vain_is_told_fk_139(
    patient: Asker, query: str, seconds: float, message: str
) -> None:
    response = waiting(patient, f"{PATH}?resourceVersion=1002{query}")
    answer = response.resume(())

    assert response.wait == RevisionWait(revision=1002, seconds=seconds)
    assert isinstance(answer, Response)
    assert (answer.code, orjson.loads(answer.body)["message"]) == (504, message)


def test_a_watch_from_a_future_revision_waits_for_events_only_fk_139(patient: Asker) -> None:
    assert isinstance(patient.send("GET", f"{PATH}?watch=1&resourceVersion=9999"), Watch)


async def wait(store: Store, clock: VirtualClock, call: Any) -> bool:
    """Tell whether a wait of three seconds for the second revision is over after something was done."""
    task = asyncio.create_task(wait_for_revision(RevisionWait(revision=1002, seconds=3.0), store, clock))
    await asyncio.sleep(0)
    call()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    over = task.done()
    task.cancel()
    return over


@pytest.mark.parametrize(
    ("writes", "seconds", "over"),
    [(0, 0.0, False), (1, 0.0, False), (2, 0.0, True), (0, 2.9, False), (0, 3.0, True)],
    ids=["nothing happens", "one write too few", "the revision is there", "too early", "time is over"],
)
def test_waiting_ends_with_the_revision_or_the_time_fk_139(writes: int, seconds: float, over: bool) -> None:
    store, clock = Store(), VirtualClock(0.0)

    def happen() -> None:
        for number in range(writes):
            store.commit(("", "configmaps"), ("n", f"{number}"), {"metadata": {}}, expected=None)
        clock.advance_to(seconds)

    assert asyncio.run(wait(store, clock, happen)) == over


def test_whoever_asks_inside_the_process_lets_time_pass_fk_139() -> None:
    with FakeCluster(controllers="none") as cluster:
        before = cluster.clock.now()
        with pytest.raises(StatusError, match="Too large resource version"):
            cluster.request("GET", PATH, query=[("resourceVersion", "9999")])

        assert cluster.clock.now() - before == 3
