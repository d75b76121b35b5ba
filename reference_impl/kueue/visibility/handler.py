"""The visibility server as a function from requests to responses:
what a request passes, in the order of VIS-140.

The steps are those of a Kubernetes API server: what a step refuses, no later one sees.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final
from uuid import uuid4

from ...api.duration import DurationError, nanoseconds
from ...runtime.metrics import Registry
from ...runtime.serving.exchange import Headers, Request, Response
from .attributes import Attributes, User
from .compression import compress
from .debugging import REQUESTS
from .guards import (
    Authenticator,
    Authorizer,
    AuthorizerError,
    BadImpersonationError,
    Flow,
    FlowControl,
    ForbiddenError,
    Impersonator,
    ThrottledError,
    UnauthenticatedError,
)
from .negotiation import Accept
from .request_context import Endpoint, RequestContext
from .request_info import VERBS, RequestInfo, RequestInfoError
from .serialization import negotiate
from .status import (
    NO_SNIFFING,
    TEXT,
    StatusError,
    TextError,
    bad_request,
    forbidden,
    gateway_timeout,
    internal_error,
    too_many_requests,
    unauthorized,
)
from .url import Url, UrlError

LONGEST_NANOSECONDS: Final = 60 * 10**9
"""How long a request may take that asks for no time, or for more (VIS-611)."""
IMMEDIATE_NANOSECONDS: Final = 1000
"""No request is answered within less."""


@dataclass(slots=True)
class VisibilityCall:
    """A request on its way through the steps."""

    request: Request
    url: Url
    info: RequestInfo
    accept: Accept
    seats: AsyncExitStack
    user: User = field(default_factory=lambda: User(name="system:anonymous"))
    flow: Flow | None = None


class Visibility:
    """Answers every request to the visibility server;
    the guards decide, `endpoint` knows what there is to read.
    """

    def __init__(
        self,
        *,
        authenticator: Authenticator,
        impersonator: Impersonator,
        authorizer: Authorizer,
        flow_control: FlowControl,
        endpoint: Endpoint,
        metrics: Registry | None = None,
        aliases: Mapping[str, str] = MappingProxyType({}),
        new_audit_id: Callable[[], str] = lambda: str(uuid4()),
    ) -> None:
        """`aliases` are other names of subresources, by which rights are not asked for."""
        self._authenticator = authenticator
        self._authorizer = authorizer
        self._impersonator = impersonator
        self._flow_control = flow_control
        self._endpoint = endpoint
        self._metrics = metrics
        self._aliases = aliases
        self._new_audit_id = new_audit_id
        if metrics is not None:
            metrics.add((REQUESTS,))

    @property
    def steps(self) -> tuple[Callable[[VisibilityCall], Awaitable[None]], ...]:
        """Return what a request passes after its `timeout` was read and before it is routed (VIS-140)."""
        return self._authenticate, self._impersonate, self._take_seat, self._authorize

    async def __call__(self, request: Request) -> Response:
        """Answer a request. Raises nothing that a request can cause."""
        try:
            url = Url.of(request.target)
        except UrlError:
            return Response(code=400, headers=(TEXT,), body=b"400 Bad Request")
        accept = Accept.of(request.header("accept"), request.header("user-agent") or "", url)
        audit_id = request.header("audit-id") or self._new_audit_id()
        try:
            info = RequestInfo.of(request.method, url, self._aliases)
        except RequestInfoError as error:
            # A Kubernetes API server answers 500 here, although the client is at fault.
            refusal = internal_error(request.target, f"failed to create RequestInfo: {error}")
            return _finish(request, _in_text(refusal), audit_id, None)
        # The seat is held until the answer is compressed, which takes longer than
        # making it.
        async with AsyncExitStack() as seats:
            call = VisibilityCall(request, url, info, accept, seats)
            response = await compress(request, await self._refusals_answered(call))
        self._count(call, response)
        return _finish(request, response, audit_id, call.flow)

    async def _refusals_answered(self, call: VisibilityCall) -> Response:
        try:
            return await self._in_time(call)
        except StatusError as error:
            answer = negotiate(call.accept, error.code, error.document)
            return Response(code=answer.code, headers=(*answer.headers, *error.headers), body=answer.body)
        except TextError as error:
            return _in_text(error)

    async def _in_time(self, call: VisibilityCall) -> Response:
        """Raise StatusError 400 for a bad `timeout` (VIS-131), TextError 504 when the
        time is over (VIS-132).
        """
        if not call.info.has_deadline:
            return await self._pass(call)
        limit = _limit_nanoseconds(call.url)
        if limit < IMMEDIATE_NANOSECONDS:
            raise gateway_timeout()
        try:
            async with asyncio.timeout(limit / 10**9) as deadline:
                return await self._pass(call)
        except TimeoutError:
            if not deadline.expired():
                raise
            # The real server writes this answer outside of flow control: without its
            # headers.
            call.flow = None
            raise gateway_timeout() from None

    async def _pass(self, call: VisibilityCall) -> Response:
        for step in self.steps:
            await step(call)
        return await self._endpoint(RequestContext(request=call.request, url=call.url, accept=call.accept))

    async def _authenticate(self, call: VisibilityCall) -> None:
        try:
            call.user = await self._authenticator.authenticate(call.request)
        except UnauthenticatedError:
            raise unauthorized() from None

    async def _impersonate(self, call: VisibilityCall) -> None:
        try:
            call.user = await self._impersonator.impersonate(call.user, call.request, call.info.attributes)
        except BadImpersonationError as error:
            raise bad_request(str(error), headers=(NO_SNIFFING,)) from None
        except ForbiddenError as error:
            raise forbidden(error.user.name, error.attributes, error.reason) from None
        except AuthorizerError as error:
            raise internal_error(call.request.target, str(error)) from None

    async def _take_seat(self, call: VisibilityCall) -> None:
        """Take a seat, which even a request takes that is forbidden later (VIS-142)."""
        if not call.info.has_seat:
            return
        # Classified before it waits: a refused request names its flow too.
        call.flow = self._flow_control.classify(call.user, call.info.attributes)
        try:
            await call.seats.enter_async_context(self._flow_control.seat(call.user, call.info.attributes))
        except ThrottledError as error:
            raise too_many_requests(error.retry_after_seconds) from None

    async def _authorize(self, call: VisibilityCall) -> None:
        try:
            decision = await self._authorizer.authorize(call.user, call.info.attributes)
        except AuthorizerError as error:
            raise internal_error(call.request.target, str(error)) from None
        if not decision.allowed:
            raise forbidden(call.user.name, call.info.attributes, decision.reason)

    def _count(self, call: VisibilityCall, response: Response) -> None:
        """Count an answer; what a client made up does not become a label."""
        if self._metrics is not None:
            # A label for every path that a scanner tries would fill the registry.
            attributes = call.info.attributes if response.code < 400 else Attributes(verb="", path="")
            verb = call.request.method if call.request.method in VERBS else "other"
            labels = (attributes.group, attributes.version, attributes.resource, attributes.subresource)
            self._metrics.increment(REQUESTS.name, verb, *labels, str(response.code))


def _limit_nanoseconds(url: Url) -> int:
    written = url.first("timeout")
    if not written:
        return LONGEST_NANOSECONDS
    try:
        timeout = nanoseconds(written)
    except DurationError as error:
        raise bad_request(f"invalid timeout specified in the request URL - {error}") from None
    # Negative time-outs count as none given (VIS-611).
    return timeout if 0 < timeout < LONGEST_NANOSECONDS else LONGEST_NANOSECONDS


def _in_text(error: TextError) -> Response:
    return Response(code=error.code, headers=(TEXT, *error.headers), body=error.text.encode(errors="replace"))


def _finish(request: Request, response: Response, audit_id: str, flow: Flow | None) -> Response:
    """Add what every answer carries (VIS-229, VC-17), sorted by name as Go sends it."""
    common: Headers = (("Audit-Id", audit_id), ("Cache-Control", "no-cache, private"))
    if flow is not None:
        common += (
            ("X-Kubernetes-Pf-Flowschema-Uid", flow.schema_uid),
            ("X-Kubernetes-Pf-Prioritylevel-Uid", flow.level_uid),
        )
    own = {name for name, _ in response.headers}
    headers = sorted((*response.headers, *(header for header in common if header[0] not in own)))
    # Last of all, so that the headers are those of the whole answer.
    body = b"" if request.method == "HEAD" else response.body
    return Response(code=response.code, headers=tuple(headers), body=body)
