"""Coroutines as subjects on virtual time: they end by the cluster's clock, and are told when they never come
to rest (harness/H-43).
"""

import asyncio
from contextlib import asynccontextmanager

import pytest

from kueue_conformance.backends.fake import forks
from kueue_conformance.base.errors import Nonconformance
from kueue_conformance.subject import SubjectContext
from kueue_conformance.subject.coroutine import RunningCoroutine
from kueue_conformance.tests.zoo.api import CORE, Api
from kueue_conformance.tests.zoo.effects import effects_path
from kueue_conformance.tests.zoo.follow import pause

CHECKED = 150
"""More than the requests of one sort that are taken for a storm."""


@pytest.fixture
def running(cluster):
    started = []

    def start(target):
        context = SubjectContext(cluster.kubeconfig, "example.com/budget", "")
        started.append(RunningCoroutine(target, context, cluster, target.__name__))
        return started[0]

    yield start
    started[0].kill()


async def goes_at_once(_):
    await asyncio.Event().wait()


async def takes_its_time(context):
    try:
        await asyncio.Event().wait()
    finally:
        await pause(context.clock, 2)


async def never_goes(context):
    while True:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            await pause(context.clock, 3600)


@pytest.mark.parametrize(
    ("target", "went", "seconds"),
    [
        pytest.param(goes_at_once, True, 0, id="at once"),
        pytest.param(takes_its_time, True, 2, id="after a while"),
        pytest.param(never_goes, False, 10, id="never"),
    ],
)
def test_whoever_is_stopped_has_the_seconds_of_the_clusters_clock(cluster, running, target, went, seconds):
    began = cluster.now()

    assert running(target).stop(10) is went
    assert cluster.now() == began + seconds


@asynccontextmanager
async def api_of(context):
    api = Api(context.kubeconfig)
    try:
        yield api
    finally:
        await api.close()


async def asks_without_a_pause(context):
    async with api_of(context) as api:
        with context.clock.busy():
            while True:
                await api.get(f"{CORE}/namespaces/default")


async def looks_something_up_for_each(context):
    async with api_of(context) as api:
        with context.clock.busy():
            for number in range(CHECKED):
                await api.get(f"{CORE}/namespaces/default")
                await api.post(effects_path("default"), {"metadata": {"name": f"for-{number}"}})


def test_the_same_again_and_again_is_no_rest(cluster, running):
    running(asks_without_a_pause)

    with pytest.raises(
        Nonconformance, match=r"get namespaces default default was sent .* request without a pause"
    ):
        cluster.wait(lambda: False, 30, lambda: False)


def test_the_same_for_each_of_many_comes_to_rest(cluster, running, monkeypatch):
    monkeypatch.setattr(forks, "_SETTLE_SECONDS", 0.001)
    begun = running(looks_something_up_for_each)

    assert cluster.wait(begun.exit_reason, 30, lambda: False)
