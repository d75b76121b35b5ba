"""What every request passes before the core answers it:
who is it, may it, is it too large (FK-009, FK-013, FK-390…400).
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from msgspec.structs import replace

from ..api import deadlines, routes, status, websocket_request
from ..api.outcome import Request, Response, User
from ..api.steps import Begun
from ..auth.authentication.authenticator import ANONYMOUS, Credentials, UnauthenticatedError, bearer
from ..auth.authorization.access import attributes_of, refusal_of
from ..auth.impersonation_headers import PREFIX
from ..auth.security import Security
from ..base.uids import uid
from ..codec import negotiation
from ..faults import Subject
from .http.message import ArrivedRequest, Pairs
from .priority_and_fairness import PriorityAndFairness, QueuedRequest

Handle = Callable[[Request], Begun]
Refuse = Callable[[Request, status.StatusError], Begun]
EarlierState = Callable[[int], Handle]
"""Who answers from the state of so many revisions ago."""
NO_CACHE = (("Cache-Control", "no-cache, private"),)
LOG = logging.getLogger(__name__)


class Stamp(NamedTuple):
    """What every answer to a request carries: its audit id, and the flow that it belongs to (FK-009)."""

    audit_id: str = ""
    flow: Pairs = ()


NO_STAMP = Stamp()


class Gate:
    """Turns what arrived into a Request with a user, and hands it to the core when its turn has come."""

    def __init__(
        self,
        handle: Handle,
        refuse: Refuse,
        earlier_state: EarlierState,
        security: Security,
        priority_and_fairness: PriorityAndFairness,
        seed: random.Random,
    ) -> None:
        self._handle = handle
        self._refuse = refuse
        self._earlier_state = earlier_state
        self._security = security
        self._priority_and_fairness = priority_and_fairness
        self._random = seed

    def handle(self, arrived: ArrivedRequest, revisions_ago: int = 0) -> tuple[Stamp, Begun | QueuedRequest]:
        """Return the request's stamp and its outcome, of an older state when a fault says so."""
        stamp = self._stamp(arrived)
        request = _request(arrived, stamp.audit_id)
        try:
            # Before authentication, as in the chain of the real server's filters.
            if request.query and (late := deadlines.check(request)):
                return stamp, late
            handle = self._earlier_state(revisions_ago) if revisions_ago else self._handle
            authenticated_request = self._authenticate(arrived, request)
            flow = self._priority_and_fairness.flow(authenticated_request)
            # Only now: a request that was refused before belongs to no flow.
            stamp = Stamp(stamp.audit_id, flow.headers)
            return stamp, self._priority_and_fairness.take(
                flow, authenticated_request, partial(self._answer, handle, arrived, authenticated_request)
            )
        except UnauthenticatedError:
            return stamp, failure_response(request, status.unauthorized())
        except status.StatusError as error:
            return stamp, failure_response(request, error)
        # A defect in one answer must not end the connections of others.
        except Exception as error:  # noqa: BLE001
            return stamp, self.answer_crash(arrived, stamp, error)

    def laboratory_request(self, arrived: ArrivedRequest) -> tuple[Stamp, Request | Response]:
        """Return the stamp and a request to the laboratory with its user,
        or the refusal of one that may not use it.
        """
        stamp = self._stamp(arrived)
        request = _request(arrived, stamp.audit_id)
        try:
            request = self._authenticate(arrived, request)
            wish = attributes_of(request, request.user)
            decision = self._security.decide_laboratory(self._by_credentials(arrived).user, wish)
        except UnauthenticatedError:
            return stamp, failure_response(request, status.unauthorized())
        except status.StatusError as error:
            return stamp, failure_response(request, error)
        return stamp, request if decision.allowed else failure_response(
            request, refusal_of(wish, decision.reason)
        )

    def answer_crash(self, arrived: ArrivedRequest, stamp: Stamp, error: Exception) -> Response:
        """Answer a request on which the server failed."""
        LOG.error("%s %s failed", arrived.method, arrived.target, exc_info=error)
        return failure_response(_request(arrived, stamp.audit_id), status.internal_crash())

    def refuse(self, arrived: ArrivedRequest, error: status.StatusError) -> tuple[Stamp, Response]:
        """Return the stamp and the answer of a request that is refused without a look at it."""
        stamp = self._stamp(arrived)
        return stamp, failure_response(_request(arrived, stamp.audit_id), error)

    def reject_by_fault(self, arrived: ArrivedRequest, error: status.StatusError) -> tuple[Stamp, Begun]:
        """Return the stamp and the answer of a request that a fault refuses;
        the journal tells it as any other (F-01).
        """
        stamp = self._stamp(arrived)
        request = _request(arrived, stamp.audit_id)
        # The journal tells the user where one can be known; a fault refuses the request either way.
        with suppress(UnauthenticatedError, status.StatusError):
            request = replace(request, user=self._user(arrived, request))
        return stamp, self._refuse(request, error)

    def subject(self, arrived: ArrivedRequest) -> Subject:
        """Return a request as faults see it."""
        request = _request(arrived, "")
        info = routes.parse(request.method, request.path, request.query)
        try:
            user = self._user(arrived, request).name
        except (UnauthenticatedError, status.StatusError):
            user = ""
        return Subject(
            verb=info.verb,
            group=info.group,
            resource=info.resource,
            subresource=info.subresource,
            namespace=info.namespace,
            name=info.name,
            user=user,
            user_agent=arrived.header("user-agent") or "",
        )

    def subprotocols(self, arrived: ArrivedRequest) -> tuple[str, ...]:
        """Return the subprotocols that an authenticated request offers,
        without the token that its user was known by.
        """
        if self._by_credentials(arrived).by_subprotocol:
            return websocket_request.other_protocols(arrived.headers)
        return websocket_request.subprotocols(arrived.headers)

    def common(self, stamp: Stamp, own: Pairs) -> Pairs:
        """Return an answer's headers with those that every answer carries; strangers see no flow (FK-009)."""
        # Pages that may be cached bring a header of their own.
        cached = any(name == "Cache-Control" for name, _ in own)
        return (("Audit-Id", stamp.audit_id), *(() if cached else NO_CACHE), *own, *stamp.flow)

    def _answer(self, handle: Handle, arrived: ArrivedRequest, request: Request) -> Begun:
        """Ask the core, which may be long after the request arrived."""
        try:
            return handle(request)
        except Exception as error:  # noqa: BLE001 - as above
            return self.answer_crash(arrived, Stamp(request.audit_id), error)

    def _stamp(self, arrived: ArrivedRequest) -> Stamp:
        return Stamp(arrived.header("audit-id") or uid(self._random))

    def _authenticate(self, arrived: ArrivedRequest, request: Request) -> Request:
        user = self._user(arrived, request)
        if len(arrived.body) > status.BODY_LIMIT:
            raise status.too_large()
        _, warning = bearer(request.headers.get("authorization", ""))
        return replace(request, user=user, warnings=(warning,) if warning else ())

    def _user(self, arrived: ArrivedRequest, request: Request) -> User:
        """Return who asks, or whom they act as."""
        user = self._by_credentials(arrived).user
        # Most requests impersonate no one, and the headers are looked at once.
        if not any(name.startswith(PREFIX) for name, _ in arrived.headers):
            return user
        return self._security.impersonation.acting(user, arrived.headers, attributes_of(request, user))

    def _by_credentials(self, arrived: ArrivedRequest) -> Credentials:
        """Return whose credentials came."""
        peer, authenticator = arrived.peer, self._security.authenticator
        if not peer.certificate:
            return authenticator.credentials(None, arrived.headers)
        issuers = self._security.settings.issuers
        client = peer.timely and issuers.is_client(peer.certificate)
        proxy = peer.timely and issuers.is_proxy(peer.certificate, peer.user)
        named = peer.identity if client else None
        return authenticator.credentials(named, arrived.headers, proxy=proxy, refused=named is None)


def _request(arrived: ArrivedRequest, audit_id: str) -> Request:
    return Request(
        method=arrived.method,
        path=arrived.path,
        query=arrived.query,
        headers=dict(arrived.headers),
        all_headers=arrived.headers,
        body=arrived.body,
        user=ANONYMOUS,
        audit_id=audit_id,
        shares_loop=True,
    )


def failure_response(request: Request, error: status.StatusError) -> Response:
    """Render a failure of the gate itself."""
    content_type, body = negotiation.of_failure(request, error.status)
    return Response(code=error.code, body=body, content_type=content_type, headers=error.headers)
