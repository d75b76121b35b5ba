"""Who asks: client certificate, bearer token, or anonymous (FK-390…392)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from ..api.outcome import User

AUTHENTICATED = "system:authenticated"
ANONYMOUS = User(name="system:anonymous", groups=("system:unauthenticated",))
SYSTEM = User(name="system:apiserver", groups=("system:masters", AUTHENTICATED))
TokenLookup = Callable[[str], User | None]


class UnauthenticatedError(Exception):
    """Credentials were given and are wrong."""


@dataclass(frozen=True, slots=True)
class Authenticator:
    """Asks each source of identities in order; wrong credentials never become anonymous (FK-391)."""

    tokens: Mapping[str, User]
    lookups: tuple[TokenLookup, ...] = ()
    """Further ways to read a token, such as those of service accounts."""

    def of_token(self, token: str) -> User | None:
        """Return whose token it is, None when it is nobody's."""
        known = self.tokens.get(token)
        found = known or next((user for lookup in self.lookups if (user := lookup(token)) is not None), None)
        return found and authenticated(found)

    def of_request(self, certificate: User | None, authorization: str) -> User:
        """Return who asks. Raises UnauthenticatedError for a token that is nobody's."""
        if certificate is not None:
            return authenticated(certificate)
        token = bearer(authorization)
        if not token:
            return ANONYMOUS
        user = self.of_token(token)
        if user is None:
            raise UnauthenticatedError
        return user


def bearer(authorization: str) -> str:
    """Return the token of an Authorization header; empty when it has none that counts."""
    scheme, _, token = authorization.strip().partition(" ")
    return token if scheme.lower() == "bearer" and not token.startswith(" ") else ""


def authenticated(user: User) -> User:
    """Add the group of everybody who is known."""
    if AUTHENTICATED in user.groups or user.name == ANONYMOUS.name:
        return user
    return replace(user, groups=(*user.groups, AUTHENTICATED))
