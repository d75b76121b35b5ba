"""Users of a front, known by the tokens that it has made (FK-390, FK-391)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from msgspec.structs import replace

from ..api import routes, status, websocket_request
from ..api.outcome import Response, User
from ..auth.authentication.authenticator import ANONYMOUS, Authenticator, UnauthenticatedError
from ..base.uids import uid
from ..codec import negotiation
from ..faults import Subject
from ..lab import PREFIX
from ..schema.fields import go_quote
from ..server.gate import NO_CACHE, Stamp
from ..server.http.hosts import Hosts
from ..server.http.message import ArrivedRequest, Pairs
from .request import FrontRequest

OnRejected = Callable[[FrontRequest, status.StatusError, Response], None]
"""Is told of every request that a fault refuses."""


class Authentication:
    """Turns what arrived into an Ask with a user; strangers are turned away."""

    def __init__(
        self, tokens: Mapping[str, User], seed: Random, on_rejected: OnRejected, hosts: Hosts
    ) -> None:
        self._hosts = hosts
        self._authenticator = Authenticator(tokens)
        self._random = seed
        self._on_rejected = on_rejected

    def refusal(self, arrived: ArrivedRequest) -> status.StatusError | None:
        """Return why a request is refused whatever its user: it comes from a foreign page, or asks the
        laboratory of the upstream server.

        The front asks that server as an administrator, which its users are not.
        """
        if arrived.target.startswith(PREFIX):
            text = f"forbidden: the front does not pass on path {go_quote(arrived.path)}: the laboratory is for administrators"
            return status.failure(403, "Forbidden", text, {})
        return self._hosts.refusal(arrived)

    def handle(
        self, arrived: ArrivedRequest, revisions_ago: int = 0
    ) -> tuple[Stamp, FrontRequest | Response]:
        """Return the request with its user, or the answer to one that comes no further."""
        ask = self._ask(arrived)
        # A front never lets strangers through: it asks the server behind with its own, stronger rights.
        if ask.user is ANONYMOUS:
            return Stamp(ask.audit_id), failure_response(ask, status.unauthorized())
        # Judged here as the server behind would, whose limit is the same.
        if len(arrived.body) > status.BODY_LIMIT:
            return Stamp(ask.audit_id), failure_response(ask, status.too_large())
        return Stamp(ask.audit_id), replace(ask, revisions_ago=revisions_ago)

    def reject_by_fault(
        self, arrived: ArrivedRequest, error: status.StatusError
    ) -> tuple[Stamp, FrontRequest | Response]:
        """Return the answer of a request that a fault refuses; the journal tells it as any other (F-01)."""
        ask = self._ask(arrived)
        answer = failure_response(ask, error)
        self._on_rejected(ask, error, answer)
        return Stamp(ask.audit_id), answer

    def refuse(self, arrived: ArrivedRequest, error: status.StatusError) -> tuple[Stamp, Response]:
        """Return the answer of a request that is refused without a look at it."""
        ask = self._ask(arrived)
        return Stamp(ask.audit_id), failure_response(ask, error)

    def subject(self, arrived: ArrivedRequest) -> Subject:
        """Return a request as faults see it."""
        info = routes.parse(arrived.method, arrived.path, arrived.query)
        return Subject(
            verb=info.verb,
            group=info.group,
            resource=info.resource,
            subresource=info.subresource,
            namespace=info.namespace,
            name=info.name,
            user=self._user(arrived).name,
            user_agent=arrived.header("user-agent") or "",
        )

    def subprotocols(self, arrived: ArrivedRequest) -> tuple[str, ...]:
        """Return the subprotocols that a request of a known user offers, without the user's token."""
        if self._authenticator.credentials(None, arrived.headers).by_subprotocol:
            return websocket_request.other_protocols(arrived.headers)
        return websocket_request.subprotocols(arrived.headers)

    def common(self, stamp: Stamp, own: Pairs) -> Pairs:
        """Return an answer's headers: those of the server behind, or what it would have said besides."""
        own_names = {name.lower() for name, _ in own}
        ours = (("Audit-Id", stamp.audit_id), *NO_CACHE)
        return (*(header for header in ours if header[0].lower() not in own_names), *own)

    def _ask(self, arrived: ArrivedRequest) -> FrontRequest:
        info = routes.parse(arrived.method, arrived.path, arrived.query)
        audit_id = arrived.header("audit-id") or uid(self._random)
        return FrontRequest(arrived=arrived, info=info, user=self._user(arrived), audit_id=audit_id)

    def _user(self, arrived: ArrivedRequest) -> User:
        try:
            return self._authenticator.of_request(None, arrived.headers)
        except UnauthenticatedError:
            return ANONYMOUS


def failure_response(ask: FrontRequest, error: status.StatusError) -> Response:
    """Render a failure of the front itself."""
    content_type, body = negotiation.of_failure(ask.request, error.status)
    return Response(code=error.code, body=body, content_type=content_type, headers=error.headers)
