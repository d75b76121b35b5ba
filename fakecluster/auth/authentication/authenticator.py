"""Who asks: front proxy, client certificate, bearer token, or anonymous (FK-390…392)."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace

from ...api import websocket_request
from ...api.outcome import User
from ...api.websocket_request import BEARER, Headers
from ..authorization.rule_coverage import quote_list
from . import front_proxy

AUTHENTICATED = "system:authenticated"
UNAUTHENTICATED = "system:unauthenticated"
ANONYMOUS = User(name="system:anonymous", groups=(UNAUTHENTICATED,))
SYSTEM = User(name="system:apiserver", groups=("system:masters", AUTHENTICATED))
AUDIENCES = ("https://kubernetes.default.svc",)
"""For whom a token must be made to be good here."""
INVALID_BEARER = "invalid bearer token"
EXTRA_SPACE_WARNING = (
    "the provided Authorization header contains extra space before the bearer token, and is ignored"
)
BASE64URL = re.compile(r"[A-Za-z0-9_-]*")


class UnauthenticatedError(Exception):
    """Credentials were given and are wrong."""


class TokenRefusedError(UnauthenticatedError):
    """A token is not good; the text says why."""


class AuthenticationResponse(Struct, frozen=True):
    """Whose token it is, and for which of the wanted audiences it is good."""

    user: User
    audiences: tuple[str, ...]


class Credentials(Struct, frozen=True):
    """Whose credentials came with a request, and whether they are a token among its subprotocols."""

    user: User
    by_subprotocol: bool = False


TokenLookup = Callable[[str, Sequence[str]], AuthenticationResponse | None]


class Authenticator(Struct, frozen=True):
    """Asks each source of identities in order; wrong credentials never become anonymous (FK-391)."""

    tokens: Mapping[str, User]
    lookups: tuple[TokenLookup, ...] = ()
    """Further ways to read a token, such as those of service accounts."""
    anonymous: bool = True
    """Whether a request without credentials is one of `system:anonymous`, or none."""

    def of_token(self, token: str, audiences: Sequence[str] = AUDIENCES) -> AuthenticationResponse:
        """Return whose token it is.

        Raises TokenRefusedError when it is unknown, or for other audiences only.
        """
        # Static tokens are good for the audiences of this server alone.
        static = self.tokens.get(token)
        good = tuple(audience for audience in AUDIENCES if audience in audiences)
        if static is not None and good:
            return AuthenticationResponse(with_authenticated_group(static), good)
        for lookup in self.lookups:
            identified = self._look_up(lookup, token, audiences)
            if identified is not None:
                return replace(identified, user=with_authenticated_group(identified.user))
        raise TokenRefusedError(INVALID_BEARER)

    def of_request(
        self, certificate: User | None, headers: Headers, *, proxy: bool = False, refused: bool = False
    ) -> User:
        """Return the user of a request, as `credentials` does."""
        return self.credentials(certificate, headers, proxy=proxy, refused=refused).user

    def credentials(
        self, certificate: User | None, headers: Headers, *, proxy: bool = False, refused: bool = False
    ) -> Credentials:
        """Return who sent a request, whose certificate names a user,
        or is that of a front proxy, or is `refused`.

        Raises UnauthenticatedError for an unknown token, for wrong credentials, and without credentials where
        they are needed.
        """
        # A front proxy comes before certificates: its own certificate names the proxy, not the user.
        if proxy and (passed_on := front_proxy.user_of_headers(headers)):
            return Credentials(with_authenticated_group(passed_on))
        # A certificate before a token, as kube-apiserver's union of authenticators has it.
        if certificate is not None:
            return Credentials(with_authenticated_group(certificate))
        token, _ = bearer(next((value for name, value in headers if name == "authorization"), ""))
        if by_subprotocol := self._of_subprotocol(headers, token):
            return by_subprotocol
        if token:
            return Credentials(self.of_token(token).user)
        # A refused certificate is no anonymous request, even where these are allowed.
        if refused or not self.anonymous:
            raise UnauthenticatedError
        return Credentials(ANONYMOUS)

    def _of_subprotocol(self, headers: Headers, token: str) -> Credentials | None:
        """Return who sent a request for a WebSocket, None where its subprotocols hold no token, or where the
        token of its head is good already.
        """
        if not any(name == websocket_request.PROTOCOL for name, _ in headers):
            return None
        # With a good token in its head the subprotocol is not read.
        if token:
            with suppress(TokenRefusedError):
                return Credentials(self.of_token(token).user)
        try:
            offered = token_of_websocket(headers)
        except MalformedTokenError as error:
            raise UnauthenticatedError(str(error)) from error
        return Credentials(self.of_token(offered).user, by_subprotocol=True) if offered else None

    def _look_up(
        self, lookup: TokenLookup, token: str, audiences: Sequence[str]
    ) -> AuthenticationResponse | None:
        try:
            return lookup(token, audiences)
        except TokenRefusedError as error:
            # Both errors, as the union of authenticators joins them in brackets.
            raise TokenRefusedError(f"[{INVALID_BEARER}, {error}]") from error


def bearer(authorization: str) -> tuple[str, str]:
    """Return the token of an Authorization header,
    empty when it has none that counts, and a warning about it.
    """
    scheme, _, rest = authorization.strip().partition(" ")
    # The scheme is compared without regard to case.
    if scheme.lower() != "bearer":
        return "", ""
    token, space, _ = rest.partition(" ")
    # Go splits at each single space, so a second one makes the token empty.
    return token, EXTRA_SPACE_WARNING if space and not token else ""


def common_audiences(meant: Sequence[str], requested: Sequence[str]) -> tuple[str, ...]:
    """Return the wanted audiences that a token is meant for. Raises TokenRefusedError when there is none."""
    common = tuple(audience for audience in requested if audience in meant)
    if not common:
        raise TokenRefusedError(
            f"token audiences {quote_list(meant)} is invalid for the target audiences {quote_list(requested)}"
        )
    return common


def with_authenticated_group(user: User) -> User:
    """Add the group `system:authenticated` to a user who is not anonymous."""
    if AUTHENTICATED in user.groups or user.name == ANONYMOUS.name:
        return user
    return replace(user, groups=(*user.groups, AUTHENTICATED))


class MalformedTokenError(ValueError):
    """A subprotocol that is to be a token and is none; the text says why."""


def token_of_websocket(headers: Headers) -> str:
    """Return the token that a request for a WebSocket offers, empty when there is none.

    Raises MalformedTokenError.
    """
    if not websocket_request.is_upgrade(headers):
        return ""
    encoded = websocket_request.bearer_protocols(headers)
    if len(encoded) > 1:
        raise MalformedTokenError("multiple base64.bearer.authorization tokens specified")
    token = _decode_bearer(encoded[0].removeprefix(BEARER)) if encoded else ""
    # The server has to name a subprotocol in its answer, and does not repeat the token.
    if token and not websocket_request.other_protocols(headers):
        raise MalformedTokenError("missing additional subprotocol")
    return token


def _decode_bearer(text: str) -> str:
    if not BASE64URL.fullmatch(text) or len(text) % 4 == 1:
        raise MalformedTokenError("invalid base64.bearer.authorization token encoding")
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode()
    except UnicodeDecodeError as error:
        raise MalformedTokenError("invalid base64.bearer.authorization token") from error
