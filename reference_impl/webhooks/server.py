"""The HTTPS server of the webhooks: it decodes a review, asks the pure functions, and encodes the answer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import orjson
from aiohttp import web

from ..runtime.errors import OutsideError
from ..runtime.listening import Listening
from .answers import Answer, answers
from .certificates import Identity, fresh
from .registration import Endpoint
from .reviews import Reviewer, ReviewError

BODY_LIMIT = 16 << 20
LARGE = 256 << 10
JSON_TYPE = "application/json"


class WebhookServer:
    """Answers the reviews of one dialect; stateless, so that many clusters may share it."""

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
        self._reviewer = reviewer
        self._namespace, self._service = namespace, service
        self._address = host
        # Behind a Service the calls come from elsewhere.
        self._host, self._wanted_port = ("" if service else host), port
        self._identity = identity or fresh([service_name(namespace, service) if service else host])
        self._tls = self._identity.context()
        self._listening = Listening(self._app(), self._host, self._wanted_port, self._tls)

    async def start(self) -> None:
        """Begin to answer; raises OutsideError when the port is taken."""
        try:
            await self._listening.start()
        except OSError as error:
            raise OutsideError(
                f"cannot listen on port {self._wanted_port}: {error.strerror}; choose another --webhook-port"
            ) from None

    @property
    def endpoint(self) -> Endpoint:
        """Return where it answers."""
        return Endpoint(
            url=f"https://{self._address}:{self._listening.port}",
            authority=self._identity.authority,
            namespace=self._namespace,
            service=self._service,
        )

    def show(self, identity: Identity) -> None:
        """Show another identity from the next connection on."""
        if identity != self._identity:
            identity.show(self._tls)
            self._identity = identity

    async def stop(self) -> None:
        """Stop answering."""
        await self._listening.stop()

    def _app(self) -> web.Application:
        app = web.Application(client_max_size=BODY_LIMIT)
        for path, answer in answers(self._reviewer).items():
            app.router.add_post(path, _handler(answer))
        return app


def service_name(namespace: str, service: str) -> str:
    """Return the name by which an API server calls a Service."""
    return f"{service}.{namespace}.svc"


def _handler(answer: Answer) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def handle(request: web.Request) -> web.Response:
        if request.content_type != JSON_TYPE:
            return _refusal(f"contentType={request.content_type}, expected {JSON_TYPE}")
        review = await request.read()
        try:
            # What takes long must not keep the leader from renewing its lease.
            body = await asyncio.to_thread(answered, review) if len(review) > LARGE else answered(review)
        except (orjson.JSONDecodeError, ReviewError) as error:
            return _refusal(str(error))
        except RecursionError:
            return _refusal("the body nests too deep")
        return web.Response(body=body, content_type=JSON_TYPE)

    def answered(review: bytes) -> bytes:
        return orjson.dumps(answer(orjson.loads(review)))

    return handle


def _refusal(text: str) -> web.Response:
    return web.Response(text=text, status=400)
