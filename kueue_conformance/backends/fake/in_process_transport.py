"""Requests to a cluster of this process without a connection: HTTP is judged by other tests, and costs more
time than most answers.
"""

from __future__ import annotations

from collections.abc import Mapping

from fakecluster.cluster.fake_cluster import FakeCluster
from fakecluster.server.http.message import ArrivedRequest
from fakecluster.server.threads.errors import NotRunning

from ...base.errors import EnvironmentProblem

# The time-out of the transport over a connection, so that no test depends on which it got.
_SECONDS = 30.0


class InProcessTransport:
    """A `Transport` to a cluster of this process, with a bearer token."""

    def __init__(self, cluster: FakeCluster) -> None:
        self._cluster = cluster
        self._always = (("authorization", f"Bearer {cluster.token()}"),)

    def __call__(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes | None
    ) -> tuple[int, bytes]:
        """Send one request; return status code and body of the answer. Raises EnvironmentProblem."""
        # HTTP header names have no case, and the server's parser lower-cases them; without a
        # connection this does it.
        own = tuple((name.lower(), value) for name, value in headers.items())
        arrived = ArrivedRequest(method=method, target=path, headers=(*self._always, *own), body=body or b"")
        try:
            answer = self._cluster.exchange(arrived, _SECONDS)
        except (NotRunning, TimeoutError) as problem:
            raise EnvironmentProblem(
                f"the API server of this process does not answer: {problem}"
            ) from problem
        return answer.code, answer.body
