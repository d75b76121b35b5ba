"""What every request passes before the core answers it: who is it, may it, is it too large (FK-009, FK-013, FK-390…400)."""

from __future__ import annotations

import random
import uuid
from collections.abc import Callable

from ..api import status
from ..api.outcome import Outcome, Request, Response, User
from ..auth.identity import Authenticator, Unauthenticated
from ..faults import NO_FAULTS, Faults
from ..store import encode
from .message import Arrived, Pairs

Handle = Callable[[Request], Outcome]
PF_HEADERS = ("X-Kubernetes-Pf-Flowschema-Uid", "X-Kubernetes-Pf-Prioritylevel-Uid")


class Gate:
    """Turns what arrived into a Request with a user, and hands it to the core."""

    def __init__(
        self, handle: Handle, authenticator: Authenticator, seed: random.Random, faults: Faults = NO_FAULTS
    ) -> None:
        self._handle = handle
        self._authenticator = authenticator
        self._random = seed
        self._faults = faults
        self._flow = tuple((name, self._uuid()) for name in PF_HEADERS)

    def handle(self, arrived: Arrived) -> tuple[str, Outcome]:
        """Return the request's audit id and its outcome."""
        audit_id = arrived.header("audit-id") or self._uuid()
        try:
            return audit_id, self._handle(self._request(arrived, audit_id))
        except Unauthenticated:
            return audit_id, failed(status.unauthorized())
        except status.StatusError as error:
            return audit_id, failed(error)

    def common(self, audit_id: str, own: Pairs) -> Pairs:
        """Return an answer's headers with those that every answer carries (FK-009)."""
        cache = (
            ()
            if any(name == "Cache-Control" for name, _ in own)
            else (("Cache-Control", "no-cache, private"),)
        )
        return (("Audit-Id", audit_id), *cache, *own, *self._flow)

    def _request(self, arrived: Arrived, audit_id: str) -> Request:
        path, _, _ = arrived.target.partition("?")
        user = self._user(arrived)
        if len(arrived.body) > status.BODY_LIMIT:
            raise status.too_large()
        return Request(
            method=arrived.method,
            path=path,
            query=arrived.query,
            headers=dict(arrived.headers),
            body=arrived.body,
            user=user,
            audit_id=audit_id,
        )

    def _user(self, arrived: Arrived) -> User:
        peer = arrived.peer
        certificate = User(name=peer.user, groups=peer.groups) if peer.user else None
        return self._authenticator.of_request(certificate, arrived.header("authorization") or "")

    def _uuid(self) -> str:
        return str(uuid.UUID(int=self._random.getrandbits(128), version=4))


def failed(error: status.StatusError) -> Response:
    """Render a failure of the gate itself."""
    return Response(code=error.code, body=encode(error.status) + b"\n", headers=error.headers)
