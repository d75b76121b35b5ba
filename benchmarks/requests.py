"""What a request costs (B-05…B-07): reads over loopback HTTP
beside a bare aiohttp handler, writes inside the process.
"""

from __future__ import annotations

import http.client
import threading
from collections.abc import Iterator
from time import perf_counter
from urllib.parse import urlsplit

from fakecluster import FakeCluster
from reference_impl.api.crds import definitions

from . import objects
from .figure import Figure, measure_each

TIMES, READS, ROUNDS = 200, 1000, 3
PATH = f"/apis/{objects.VERSION}/namespaces/default/workloads"
APPLY = {"content-type": "application/apply-patch+yaml"}


def figures() -> Iterator[Figure]:
    """Yield reads per second, then milliseconds per write."""
    with FakeCluster(tls=False, controllers="none") as cluster:
        cluster.apply(definitions("v0.19"))
        cluster.request("POST", PATH, objects.workload("read", "queue-0"))
        headers = {"Authorization": f"Bearer {cluster.token()}"}
        answer = http.client.HTTPConnection(urlsplit(cluster.url).netloc)
        answer.request("GET", f"{PATH}/read", headers=headers)
        body = answer.getresponse().read()
        own = tuple(_rate(cluster.url, f"{PATH}/read", headers) for _ in range(ROUNDS))
        yield Figure("GET of a Workload over one connection", own, "1/s", "≥ 2000", _bare(body))
        yield from _writes(cluster)


def _writes(cluster: FakeCluster) -> Iterator[Figure]:
    def create(number: int) -> None:
        cluster.request("POST", PATH, objects.workload(f"w-{number}", "queue-0"))

    def reserve(number: int) -> None:
        query = (("fieldManager", "kueue-admission"), ("force", "true"))
        body = objects.reservation(f"w-{number}")
        cluster.request("PATCH", f"{PATH}/w-{number}/status", body, query=query, headers=APPLY)

    yield Figure(
        "create a Workload (schema and CEL), in process", measure_each(create, range(TIMES)), "ms", "≤ 3"
    )
    yield Figure("apply a Workload's status, in process", measure_each(reserve, range(TIMES)), "ms", "≤ 4")


def _rate(url: str, path: str, headers: dict[str, str]) -> float:
    """Return the requests per second that one keep-alive connection of this thread gets answered."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc)
    began = perf_counter()
    for _ in range(READS):
        connection.request("GET", path, headers=headers)
        connection.getresponse().read()
    seconds = perf_counter() - began
    connection.close()
    return READS / seconds


def _bare(body: bytes) -> Figure:
    """Return the rate of an aiohttp handler that answers fixed bytes, in a thread as our server is."""
    import asyncio

    from aiohttp import web

    loop, started, urls, runners = asyncio.new_event_loop(), threading.Event(), [], []

    async def serve() -> None:
        async def answer(_: web.Request) -> web.Response:
            return web.Response(body=body, content_type="application/json")

        app = web.Application()
        app.router.add_get("/{path:.*}", answer)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        urls.append(f"http://127.0.0.1:{runner.addresses[0][1]}")
        runners.append(runner)
        started.set()

    thread = threading.Thread(target=lambda: (loop.create_task(serve()), loop.run_forever()), daemon=True)
    thread.start()
    started.wait()
    rates = tuple(_rate(urls[0], "/", {}) for _ in range(ROUNDS))
    asyncio.run_coroutine_threadsafe(runners[0].cleanup(), loop).result()
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    return Figure("a bare aiohttp handler", rates, "1/s")
