"""Replicas that are stopped, killed and set to another time:
never more quota than there is, at no revision (AC-375).
"""

import asyncio
from pathlib import Path

import pytest

from fakecluster import FakeCluster
from reference_impl.kueue.config import Config
from reference_impl.kueue.install import install
from reference_impl.runtime import kubeconfig
from reference_impl.runtime.client import Client
from reference_impl.runtime.clock import WallClock
from reference_impl.runtime.log import Logger

from .schedules import CLUSTER_QUEUE, FLAVOR, LOCAL_QUEUE, QUOTA, Schedule
from .stopping import SlowConnection, create_task
from .story import broken

QUICK, USUAL = 10, 30
"""How many schedules are tried by every run of the tests, and by those that are not in a hurry; the rest is
for `make interruptions`.
"""
SEEDS = [
    pytest.param(
        seed,
        marks=[pytest.mark.exhaustive] if seed >= USUAL else [pytest.mark.slow] * (seed >= QUICK),
        id=f"schedule {seed}",
    )
    for seed in range(100)
]


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    """A cluster with Kueue's kinds and one queue, on a loop whose tasks can be stopped."""
    with FakeCluster(controllers=(), tls=False) as cluster:
        path = tmp_path_factory.mktemp("base") / "kubeconfig"
        cluster.kubeconfig(path)
        cluster.run(_install(path))
        cluster.apply(
            {"apiVersion": "kueue.x-k8s.io/v1beta2", **item} for item in (FLAVOR, CLUSTER_QUEUE, LOCAL_QUEUE)
        )
        cluster.call(lambda: cluster.loop.set_task_factory(create_task))
        yield cluster
        cluster.call(lambda: cluster.loop.set_task_factory(None))


async def _install(path: Path) -> None:
    client, clock = Client(kubeconfig.load(path), user_agent="test"), WallClock()
    await install(client, clock, Logger(clock=clock), dialect="v0.19", namespace="kueue-system")
    await client.close()
    await asyncio.sleep(0)


@pytest.fixture
def schedule(base, tmp_path, monkeypatch):
    """Make the schedule of a seed, on a cluster of its own."""
    monkeypatch.setattr("reference_impl.runtime.wire.Connection", SlowConnection)
    with base.fork() as cluster:
        cluster.kubeconfig(tmp_path / "kubeconfig")
        config = Config(connection=kubeconfig.load(tmp_path / "kubeconfig"), leader_election=True)
        created = []
        yield lambda seed: created.append(Schedule(seed, cluster, config)) or created[0]
        created[0].end()


@pytest.mark.parametrize("seed", SEEDS)
def test_quota_holds_whatever_happens_to_replicas(schedule, seed):
    running = schedule(seed)

    running.run()

    assert broken(running.cluster.journal, QUOTA) == [], "\n".join(running.told)
    assert running.rests(), "\n".join(running.told)
