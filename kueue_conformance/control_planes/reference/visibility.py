"""The reference's visibility server as a function of this process, and whether a cluster's API server passes
requests on to it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from ...backends.cluster import Cluster
from ...scenarios.dialect import Dialect
from ...wire.client import Client
from ...wire.raw_client import Ask, Headers, RawAnswer, RawRequest, SentRequests
from .manifests import AGENT

NAMESPACE = "kueue-system"
Handler = Callable[[Any], Awaitable[Any]]


def in_process(dialect: Dialect) -> Any:
    """Return the visibility part that only this process can reach."""
    from reference_impl.api.known_releases import version_of
    from reference_impl.kueue.visibility.in_process import InProcessVisibility

    return InProcessVisibility(release=version_of(dialect.name), namespace=NAMESPACE)


def answering(handler: Handler) -> Handler:
    """Return a handler for requests as fakecluster has them: any value with the parts of a request."""
    from reference_impl.kueue.visibility.delegated.authentication import PASSED_ON
    from reference_impl.runtime.serving.exchange import Request

    async def handle(request: Any) -> Any:
        # The server's parser lower-cases names; what does not pass through it has to do the same.
        headers = tuple((name.lower(), value) for name, value in request.headers)
        return await handler(
            Request(
                method=request.method,
                target=request.target,
                headers=headers,
                body=request.body,
                # The API server has authenticated itself by its front-proxy certificate; in one
                # process there is no TLS to show it.
                certificate=PASSED_ON,
            )
        )

    return handle


def direct(cluster: Cluster, handler: Handler) -> Ask:
    """Return a function that sends a request to a handler as a client without a certificate."""

    def ask(method: str, target: str, headers: Headers, body: bytes) -> RawAnswer:
        async def answer() -> Any:
            return await handler(_as_received(RawRequest(method, target, headers, body)))

        return _raw(cluster.run(lambda _: answer()))

    return ask


class SimultaneousSender:
    """Sends a handler several requests at one moment, on the cluster's event loop while its time passes."""

    def __init__(self, cluster: Cluster, handler: Handler) -> None:
        self._cluster, self._handler = cluster, handler
        self._sent: list[SimultaneousRequests] = []

    def __call__(self, requests: Sequence[RawRequest]) -> SentRequests:
        """Send requests."""
        self._sent.append(SimultaneousRequests(self._cluster, self._handler, requests))
        return self._sent[-1]

    def close(self) -> None:
        """Cancel the requests without an answer."""
        while self._sent:
            self._sent.pop().give_up()


class SimultaneousRequests:
    """Requests to a handler that were sent at one moment."""

    def __init__(self, cluster: Cluster, handler: Handler, requests: Sequence[RawRequest]) -> None:
        self._cluster = cluster
        self._tasks: list[asyncio.Task[Any]] = []
        cluster.run(lambda _: self._begin(handler, requests))

    async def _begin(self, handler: Handler, requests: Sequence[RawRequest]) -> None:
        self._tasks += [asyncio.ensure_future(handler(_as_received(request))) for request in requests]

    def answers(self) -> Sequence[RawAnswer | None]:
        """Return the answers, None for a request without one yet."""
        return tuple(
            _raw(task.result()) if task.done() and not task.cancelled() else None for task in self._tasks
        )

    def give_up(self) -> None:
        """Cancel the requests without an answer."""
        self._cluster.run(lambda _: self._cancel())

    async def _cancel(self) -> None:
        for task in self._tasks:
            task.cancel()
        # A cancelled task ends at its next await, not by `cancel` itself.
        await asyncio.wait(self._tasks)


def is_available(cluster: Cluster) -> bool:
    """Tell whether the API server passes requests on to every extension server that it knows of."""
    client = Client(cluster.transport, agent=AGENT)
    services = client.call("GET", "/apis/apiregistration.k8s.io/v1/apiservices")["items"]
    return all(
        any(
            condition["type"] == "Available" and condition["status"] == "True"
            for condition in service["status"]["conditions"]
        )
        for service in services
        # APIServices without a Service are served by the API server itself.
        if service["spec"].get("service")
    )


def _as_received(request: RawRequest) -> Any:
    """Return a request as a handler receives it from a client without a certificate."""
    from reference_impl.runtime.serving.exchange import Request

    headers = tuple((name.lower(), value) for name, value in request.headers)
    return Request(method=request.method, target=request.target, headers=headers, body=request.body)


def _raw(response: Any) -> RawAnswer:
    return RawAnswer(response.code, tuple(response.headers), response.body)
