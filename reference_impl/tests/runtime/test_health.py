"""The endpoints for operators."""

import asyncio

import aiohttp
import pytest

from reference_impl.runtime.errors import OutsideError
from reference_impl.runtime.health import Endpoints, controller_probes
from reference_impl.runtime.metrics import Metric, Registry


async def answer(path, *, ready):
    metrics = Registry([Metric("g", "gauge", (), help="Level.")])
    metrics.set("g", value=1)
    endpoints = Endpoints("127.0.0.1:0", probes=controller_probes(lambda: ready), metrics=metrics)
    await endpoints.start()
    try:
        async with (
            aiohttp.ClientSession() as session,
            session.get(f"http://127.0.0.1:{endpoints.port}{path}") as response,
        ):
            return response.status, await response.text()
    finally:
        await endpoints.stop()


@pytest.mark.parametrize(
    ("path", "ready", "status", "text"),
    [
        pytest.param("/healthz", False, 200, "ok", id="alive"),
        pytest.param("/readyz", True, 200, "ok", id="ready"),
        pytest.param("/readyz", False, 500, "not in sync yet", id="not ready"),
        pytest.param("/metrics", True, 200, "# HELP g Level.\n# TYPE g gauge\ng 1\n", id="metrics"),
    ],
)
def test_endpoints(path, ready, status, text):
    assert asyncio.run(answer(path, ready=ready)) == (status, text)


def test_an_address_in_use_is_named():
    async def twice():
        first = Endpoints("127.0.0.1:0", probes=controller_probes(lambda: True), metrics=None)
        await first.start()
        second = Endpoints(f"127.0.0.1:{first.port}", probes=controller_probes(lambda: True), metrics=None)
        try:
            await second.start()
        finally:
            await first.stop()

    with pytest.raises(OutsideError, match=r"cannot listen on 127\.0\.0\.1:\d+: .*; choose another address"):
        asyncio.run(twice())
