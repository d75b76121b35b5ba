"""The webhook server: decodes a review, calls the pure functions, and encodes the answer."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING

import orjson

from ...runtime.serving.certificates import Identity, fresh
from ...runtime.serving.exchange import Request, Response
from ...runtime.serving.server import Server
from .answers import Answer, answers
from .registration import WebhookEndpoint
from .reviews import Reviewer, ReviewError

if TYPE_CHECKING:
    from ...runtime.serving.exchange import Handler

LARGE = 256 << 10
JSON_TYPE = "application/json"
JSON_HEADERS = (("Content-Type", JSON_TYPE),)
TEXT_HEADERS = (("Content-Type", "text/plain; charset=utf-8"),)


class WebhookServer:
    """Answers the reviews of one dialect; stateless, so that many clusters may share it."""

    name = "webhooks"

    def __init__(
        self,
        reviewer: Reviewer,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        namespace: str = "kueue-system",
        service: str = "",
        identity: Identity | None = None,
    ) -> None:
        self._host, self._namespace, self._service = host, namespace, service
        self._identity = identity or fresh([service_name(namespace, service) if service else host])
        self._server = Server(
            handler(reviewer),
            name=self.name,
            # Behind a Service the calls come from elsewhere.
            host="" if service else host,
            port=port,
            identity=self._identity,
            advice="choose another --webhook-port",
        )

    async def start(self) -> None:
        """Begin to answer. Raises OutsideError when the port is taken."""
        await self._server.start()

    @property
    def endpoint(self) -> WebhookEndpoint:
        """Return where it answers."""
        return WebhookEndpoint(
            url=f"https://{self._host}:{self._server.port}",
            authority=self._identity.authority,
            namespace=self._namespace,
            service=self._service,
        )

    def show(self, identity: Identity) -> None:
        """Show another identity from the next connection on."""
        self._identity = identity
        self._server.show(identity)

    async def stop(self) -> None:
        """Stop answering."""
        await self._server.stop()


def service_name(namespace: str, service: str) -> str:
    """Return the name by which an API server calls a Service."""
    return f"{service}.{namespace}.svc"


def handler(reviewer: Reviewer) -> Handler:
    """Return what answers the reviews that are posted to the paths of the webhooks."""
    paths = answers(reviewer)

    async def handle(request: Request) -> Response:
        return await _answer(request, paths)

    return handle


async def _answer(request: Request, paths: Mapping[str, Answer]) -> Response:
    answer = paths.get(request.target.partition("?")[0])
    if answer is None:
        return Response(code=404, headers=TEXT_HEADERS, body=b"404 page not found\n")
    if request.method != "POST":
        return Response(
            code=405, headers=(("Allow", "POST"), *TEXT_HEADERS), body=b"405 method not allowed\n"
        )
    kind = (request.header("content-type") or "").partition(";")[0].strip().lower()
    if kind != JSON_TYPE:
        return _refusal(f"contentType={kind}, expected {JSON_TYPE}")
    try:
        # What takes long must not keep the leader from renewing its lease.
        if len(request.body) > LARGE:
            return await asyncio.to_thread(_review, answer, request.body)
        return _review(answer, request.body)
    except (orjson.JSONDecodeError, ReviewError) as error:
        return _refusal(str(error))
    except RecursionError:
        return _refusal("the body nests too deep")


def _review(answer: Answer, review: bytes) -> Response:
    return Response(code=200, headers=JSON_HEADERS, body=orjson.dumps(answer(orjson.loads(review))))


def _refusal(text: str) -> Response:
    return Response(code=400, headers=TEXT_HEADERS, body=text.encode())
