"""What a request passes before it is answered: authentication,
impersonation, flow control, authorization (VIS-140).

The handler knows these interfaces only; `delegated/` asks the
API server of the cluster, and `flow_control/` counts seats.
"""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

from ...runtime.serving.exchange import Request
from .attributes import Attributes, User


class UnauthenticatedError(Exception):
    """The credentials of a request are not good: 401."""


class AuthorizerError(Exception):
    """The API server did not answer an access review; the text is its answer: 500 (VIS-427)."""


class BadImpersonationError(Exception):
    """Headers that describe no user to act as; the text is the message: 400 (VC-22)."""


class ForbiddenError(Exception):
    """A user may not act as another: 403 (VIS-409)."""

    def __init__(self, user: User, attributes: Attributes, reason: str = "") -> None:
        super().__init__(f"{user.name} cannot {attributes.verb} {attributes.resource or attributes.path}")
        self.user = user
        self.attributes = attributes
        self.reason = reason


class ThrottledError(Exception):
    """No seat was free in time: 429 (VIS-606, VIS-607)."""

    def __init__(self, retry_after_seconds: int) -> None:
        super().__init__(f"no seat was free, retry after {retry_after_seconds} s")
        self.retry_after_seconds = retry_after_seconds


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether a user may, and why not as the API server said it (often empty)."""

    allowed: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Flow:
    """Where flow control has put a request:
    the uids of a FlowSchema and of its PriorityLevelConfiguration (VIS-229).
    """

    schema_uid: str = ""
    level_uid: str = ""


class Authenticator(Protocol):
    """Authenticates a request."""

    async def authenticate(self, request: Request) -> User:
        """Return the user, `system:anonymous` without credentials. Raises UnauthenticatedError."""


class Authorizer(Protocol):
    """Authorizes a request."""

    async def authorize(self, user: User, attributes: Attributes) -> Decision:
        """Return whether a user may. Raises AuthorizerError."""


class Impersonator(Protocol):
    """Resolves impersonation."""

    async def impersonate(self, user: User, request: Request, attributes: Attributes) -> User:
        """Return the user in the impersonation headers, else the user of `attributes`.

        Raises BadMaskError, ForbiddenError, AuthorizerError.
        """


class FlowControl(Protocol):
    """Limits how many requests are answered at once, fairly between users."""

    def classify(self, user: User, attributes: Attributes) -> Flow:
        """Return where a request belongs."""

    def seat(self, user: User, attributes: Attributes) -> AbstractAsyncContextManager[None]:
        """Hold a seat while the request is answered; entering waits for one and raises ThrottledError."""
