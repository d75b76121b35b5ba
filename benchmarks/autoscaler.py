"""Requests for capacity: estimates, loops beside many that wait,
and PR-234a on virtual time and between programs.

500 checks of one pod each where 250 have room. CLUSTER_AUTOSCALER names a real cluster-autoscaler that gets
the same work in the same run.
"""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

import yaml

from fakecluster import FakeCluster
from reference_impl.api import kinds
from reference_impl.api.crds import definitions_for_requests
from reference_impl.api.resource import Key
from reference_impl.autoscaler.flags import Flags
from reference_impl.autoscaler.part import AutoscalerPart
from reference_impl.autoscaler.simulation.node import NodeShape
from reference_impl.autoscaler.simulation.packing import pack
from reference_impl.autoscaler.simulation.pod import Pod, PodShape
from reference_impl.autoscaler.simulation.snapshot import ClusterSnapshot
from reference_impl.cloud.groups import NodeGroupSpec
from reference_impl.cloud.in_process import InProcessCloud
from reference_impl.cloud.model import CloudModel
from reference_impl.cloud.nodes import template
from reference_impl.cloud.part import CloudPart
from reference_impl.runtime import kubeconfig
from reference_impl.runtime.client import Client
from reference_impl.runtime.kubeconfig import Connection
from reference_impl.runtime.manager import Manager
from reference_impl.runtime.program import Program
from reference_impl.tests.autoscaler.laboratory import Laboratory
from reference_impl.tests.autoscaler.objects import request

from .figure import Figure, measure
from .objects import Json
from .processes import READY_LIMIT, Process, running

REQUESTS, ROOM = 500, 250
PENDING = (100, 1_000, 10_000)
LOOPS = 20
NODES = NodeGroupSpec("ng", min=25, max=25, cpu="10", memory="64Gi")
"""Room for as many pods of one CPU as there is to be."""
REPEAT = 3
LIMIT_SECONDS = 300.0
OURS = "kueue-autoscaler"


def figures() -> Iterator[Figure]:
    """Yield what an estimate, a loop, and 500 requests cost."""
    yield Figure("an estimate for 16 000 pods on 1 000 nodes", measure(_estimate, 5), "ms", "<= 1000")
    costs = {number: _loops(number) for number in PENDING}
    for number, samples in costs.items():
        yield Figure(
            f"CPU of a loop beside {number} pending requests",
            samples,
            "ms",
            note=f"{min(samples) / number * 1000:.3g} us a request",
        )
    yield Figure(
        f"{REQUESTS} checks, virtual time: until the last answer",
        tuple(_virtual() for _ in range(REPEAT)),
        "s",
        "< 2",
    )
    yield from _between_programs()


def _estimate() -> None:
    shape = template(NodeGroupSpec("ng", cpu="4"))
    container = {"name": "c", "resources": {"requests": {"cpu": "250m", "memory": "1Gi"}}}
    pod_shape = PodShape.of("ns", {"labels": {}}, {"containers": [container]})
    packing = pack(
        [Pod("ns", f"pod-{n}", pod_shape) for n in range(16_000)],
        NodeShape.of(shape),
        ClusterSnapshot(),
        1000,
    )
    assert (packing.nodes, len(packing.placed)) == (1000, 16_000)


def _loops(number: int) -> tuple[float, ...]:
    """Return the milliseconds of CPU of loops in which no request is due."""
    laboratory = Laboratory()
    for index in range(number):
        laboratory.ask(request(f"r-{index}"))
    for provisioning_request in list(laboratory.server.store(kinds.PROVISIONING_REQUESTS)):
        verdict = {"type": "Provisioned", "status": "False", "reason": "CapacityIsNotFound", "message": ""}
        since = {**verdict, "lastTransitionTime": provisioning_request["metadata"]["creationTimestamp"]}
        laboratory.server.put(
            kinds.PROVISIONING_REQUESTS, {**provisioning_request, "status": {"conditions": [since]}}
        )
    return tuple(_cpu(laboratory.loop) for _ in range(LOOPS))


def _cpu(act: Callable[[], object]) -> float:
    began = process_time()
    act()
    return (process_time() - began) * 1000


def _virtual() -> float:
    """Return the seconds of wall time until 500 requests are answered by an autoscaler on virtual time."""
    with FakeCluster(controllers="namespaces") as cluster:
        cluster.apply([*definitions_for_requests("ca"), _pod_template()])
        model = CloudModel([NODES], current_time=cluster.clock.now)
        flags = Flags(
            enable_provisioning_requests=True,
            scan_interval=1.0,
            scale_down_enabled=False,
            write_status_configmap=False,
        )
        parts_by_name = {"cloud": CloudPart(model), OURS: AutoscalerPart(flags, InProcessCloud(model))}
        managers = [_manage(cluster, name, served_part) for name, served_part in parts_by_name.items()]
        cluster.settle()
        began = perf_counter()
        cluster.apply([_request(number) for number in range(REQUESTS)])
        cluster.run_until(lambda: _count_answers(cluster) == REQUESTS, 3600)
        seconds = perf_counter() - began
        for manager in managers:
            cluster.run(manager.stop())
        return seconds


def _manage(cluster: FakeCluster, name: str, served_part: Any) -> Manager:
    connection = Connection(server=cluster.url, token=cluster.token(), dial=cluster.dial)
    program = Program(
        user_agent=f"{name}/v1",
        lease=Key("kube-system", name),
        connection=connection,
        components=(served_part,),
    )

    async def start() -> Manager:
        manager = Manager(program, cluster.clock)
        await manager.start()
        return manager

    return cluster.run(start())


def _count_answers(cluster: FakeCluster) -> int:
    path = kinds.PROVISIONING_REQUESTS.path("default")
    return sum(
        bool(_verdict(provisioning_request)) for provisioning_request in cluster.request("GET", path)["items"]
    )


def _between_programs() -> Iterator[Figure]:
    """Yield the same work between three programs, and by a real cluster-autoscaler where one is named."""
    commands = {OURS: [sys.executable, "-m", "reference_impl.autoscaler"]}
    if real := os.environ.get("CLUSTER_AUTOSCALER"):
        commands["cluster-autoscaler"] = [real]
    done = {name: _measure_program(command) for name, command in commands.items()}
    peer = done.get("cluster-autoscaler")
    for index, (title, unit, goal) in enumerate(
        [
            (f"{REQUESTS} checks, a program: until the last answer", "s", "< 60"),
            ("  a check until Provisioned is True or False, median", "s", ""),
            ("  CPU of the autoscaler per request", "ms", ""),
        ]
    ):
        beside = Figure("cluster-autoscaler", (peer[index],), unit) if peer else None
        yield Figure(title, (done[OURS][index],), unit, goal, beside)


def _measure_program(command: list[str]) -> tuple[float, float, float]:
    """Return the seconds until the last answer, the median of all, and the milliseconds of CPU for each."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        cloud_address, control, metrics = (f"127.0.0.1:{_find_free_port()}" for _ in range(3))
        config, groups, cloud = folder / "kubeconfig", folder / "groups.yaml", folder / "cloud.yaml"
        groups.write_text(
            yaml.safe_dump({"groups": [{"id": NODES.id, "min": 25, "max": 25, "cpu": 10, "memory": "64Gi"}]})
        )
        cloud.write_text(f'address: "{cloud_address}"\n')
        serve = (
            "serve",
            "--clock",
            "wall",
            "--controllers",
            "namespaces,kubelets",
            "--kubeconfig",
            str(config),
        )
        addresses = ("--address", cloud_address, "--control-address", control)
        with running("fakecluster", *serve):
            asyncio.run(_prepare(config))
            with (
                running(
                    "reference_impl.cloud", "--kubeconfig", str(config), "--groups", str(groups), *addresses
                ),
                _autoscaler(command, config, cloud, metrics) as autoscaler,
            ):
                before = autoscaler.cpu()
                waits = asyncio.run(_waits(config))
                spent = autoscaler.cpu() - before
    return waits[-1], waits[len(waits) // 2], spent * 1000 / REQUESTS


@contextmanager
def _autoscaler(command: list[str], config: Path, cloud: Path, address: str) -> Iterator[Process]:
    argv = [
        *command,
        f"--kubeconfig={config}",
        "--cloud-provider=externalgrpc",
        f"--cloud-config={cloud}",
        f"--address={address}",
        "--leader-elect=false",
        "--enable-provisioning-requests=true",
        "--scan-interval=1s",
        "--scale-down-enabled=false",
        "--kube-client-qps=1000",
        "--kube-client-burst=1000",
    ]
    process = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        asyncio.run(_first_loop(process, address))
        yield Process(process.pid)
    finally:
        process.terminate()
        process.wait()


def _find_free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def _first_loop(process: subprocess.Popen[bytes], address: str) -> None:
    """Return when a program has gone through a loop.

    Raises RuntimeError when it ends before, TimeoutError.
    """
    async with asyncio.timeout(READY_LIMIT):
        while not _loops_at(address):
            if process.poll() is not None:
                raise RuntimeError(f"{process.args} ended with {process.returncode}")
            await asyncio.sleep(0.2)


def _loops_at(address: str) -> bool:
    """Tell whether a program says that it has gone through a loop."""
    try:
        with urllib.request.urlopen(f"http://{address}/metrics", timeout=5) as answer:
            text = answer.read().decode()
    except OSError:
        return False
    return '_function_duration_seconds_count{function="main"' in text


async def _prepare(config: Path) -> None:
    client = Client(kubeconfig.load(config), user_agent="benchmarks")
    try:
        for definition in definitions_for_requests("ca"):
            await client.create(kinds.CRDS, definition)
        await client.create(kinds.POD_TEMPLATES, _pod_template())
    finally:
        await client.close()


async def _waits(config: Path) -> list[float]:
    """Make all requests, and return the seconds from the first of them to each answer."""
    client = Client(kubeconfig.load(config), user_agent="benchmarks")
    try:
        began, answered = perf_counter(), {}
        answers_seen = asyncio.create_task(_await_answers(client, answered))
        for number in range(REQUESTS):
            await client.create(kinds.PROVISIONING_REQUESTS, _request(number))
        async with asyncio.timeout(LIMIT_SECONDS):
            verdicts = await answers_seen
        assert verdicts["True"] == ROOM, verdicts
        return sorted(answered_at - began for answered_at in answered.values())
    finally:
        await client.close()


async def _await_answers(client: Client, answered: dict[str, float]) -> Counter[str]:
    verdicts: Counter[str] = Counter()
    async with client.watch(kinds.PROVISIONING_REQUESTS, {}) as stream:
        async for batch in stream.batches:
            for event in batch:
                name, verdict = event["object"]["metadata"]["name"], _verdict(event["object"])
                if verdict and name not in answered:
                    answered[name] = perf_counter()
                    verdicts[verdict] += 1
            if len(answered) == REQUESTS:
                break
    return verdicts


def _verdict(provisioning_request: Json) -> str:
    conditions = (provisioning_request.get("status") or {}).get("conditions") or ()
    return next(
        (str(condition["status"]) for condition in conditions if condition["type"] == "Provisioned"), ""
    )


def _request(number: int) -> Json:
    spec = {
        "provisioningClassName": "check-capacity.autoscaling.x-k8s.io",
        "podSets": [{"podTemplateRef": {"name": "pod"}, "count": 1}],
    }
    metadata = {"name": f"request-{number:03}", "namespace": "default"}
    return {
        "apiVersion": "autoscaling.x-k8s.io/v1",
        "kind": "ProvisioningRequest",
        "metadata": metadata,
        "spec": spec,
    }


def _pod_template() -> Json:
    container = {"name": "main", "image": "image", "resources": {"requests": {"cpu": "1", "memory": "1Gi"}}}
    metadata = {"name": "pod", "namespace": "default"}
    spec = {"containers": [container]}
    return {
        "apiVersion": "v1",
        "kind": "PodTemplate",
        "metadata": metadata,
        "template": {"metadata": {}, "spec": spec},
    }
