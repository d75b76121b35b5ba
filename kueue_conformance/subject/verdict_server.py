"""Answers questions for verdicts, and keeps claims, over HTTP,
on the loop of the cluster that the subject works on (harness/H-11).

So a question takes no virtual time and wakes no other thread.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

from ..backends.cluster import Cluster
from ..backends.http_server import HttpRequest, HttpServer, JsonAnswer
from .outside_work.claims import Claims, answer_about_claims
from .verdicts import Verdicts

_NEEDED = ("namespace", "workload", "check")
_CLAIMS = "/claims"


class VerdictServer:
    """Listens from `start` to `stop`."""

    def __init__(self, verdicts: Verdicts, claims: Claims) -> None:
        self._verdicts = verdicts
        self._claims = claims
        self._cluster: Cluster | None = None
        self._server: HttpServer | None = None
        self.url = self.claims_url = ""

    def start(self, cluster: Cluster) -> None:
        """Listen on a port of its own; nothing when that is so already."""
        # A second replica asks at the same address.
        if self._cluster is None:
            self._cluster = cluster
            self._server = HttpServer(partial(self._answer, cluster), cluster.now)
            cluster.run(partial(self._listen, self._server, cluster.host_address))

    def stop(self) -> None:
        """Close the port."""
        if self._cluster is not None:
            self._cluster.run(self._close)
            self._cluster = None

    async def _listen(self, server: HttpServer, host: str, clock: Any) -> None:
        del clock
        address = await server.listen(host)
        self.url, self.claims_url = f"{address}/verdict", f"{address}{_CLAIMS}"

    async def _close(self, clock: Any) -> None:
        del clock
        if self._server is not None:
            self._server.stop()

    async def _answer(self, cluster: Cluster, request: HttpRequest) -> JsonAnswer:
        query = dict(request.query)
        collection, _, claim_id = request.path.removeprefix(_CLAIMS).partition("/")
        if request.path.startswith(_CLAIMS) and not collection:
            code, document = answer_about_claims(self._claims, request.method, claim_id, query, request.body)
            return JsonAnswer(code, document)
        missing = [name for name in _NEEDED if not query.get(name)]
        if missing:
            return JsonAnswer(400, {"error": f"the query lacks {', '.join(missing)}"})
        planned = self._verdicts.ask(cluster.now(), *(query[name] for name in _NEEDED))
        if planned.meanwhile is not None:
            # It asks the API server, and waits for it.
            # The loop that serves the API server must not wait for itself.
            await asyncio.get_running_loop().run_in_executor(None, planned.meanwhile)
        return JsonAnswer(planned.code, dict(planned.answer))
