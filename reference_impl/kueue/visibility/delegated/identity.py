"""The user of a request by its credentials: a front proxy's headers, a client certificate, a bearer token
(VIS-402…407, VC-18…21).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from typing import Final
from urllib.parse import unquote

from ....runtime.serving.exchange import Headers, Request
from ..attributes import User
from .certificates import CertificateError, common_name, organizations, verify
from .trust import Trust

AUTHENTICATED, UNAUTHENTICATED = "system:authenticated", "system:unauthenticated"
ANONYMOUS: Final = User(name="system:anonymous", groups=(UNAUTHENTICATED,))
CREDENTIAL: Final = "authentication.kubernetes.io/credential-id"


def authenticate_proxied(request: Request, trust: Trust, at: datetime) -> User | None:
    """Return the user that a front proxy names; None without certificate or name. Raises CertificateError."""
    if not request.certificate:
        return None
    proxy = common_name(verify(request.certificate, trust.proxies, at))
    # Without names every certificate of this authority counts: it is an authority for
    # proxies alone.
    if trust.proxy_names and proxy not in trust.proxy_names:
        raise CertificateError(f"{proxy!r} is no front proxy")
    return user_named(request, trust)


def user_named(request: Request, trust: Trust) -> User | None:
    """Return the user that the headers of a front proxy name; None without a name."""
    name = _first(request, trust.user_headers)
    if not name:
        return None
    groups = (value for header in trust.group_headers for value in request.all_of(header) if value)
    return User(
        name=name,
        uid=_first(request, trust.uid_headers),
        groups=tuple(groups),
        extra=extra_of(request.headers, trust.extra_prefixes),
    )


def authenticate_certificate(request: Request, trust: Trust, at: datetime) -> User | None:
    """Return the user of a client certificate; None without one, or without its authority.

    Raises CertificateError.
    """
    if not request.certificate or not trust.clients:
        return None
    certificate = verify(request.certificate, trust.clients, at)
    name = common_name(certificate)
    if not name:
        return None
    credential = f"X509SHA256={sha256(request.certificate).hexdigest()}"
    return User(name=name, groups=organizations(certificate), extra=((CREDENTIAL, (credential,)),))


def token_of(request: Request) -> str:
    """Return the bearer token; empty when there is none."""
    scheme, _, rest = (request.header("authorization") or "").strip().partition(" ")
    return rest.split(" ", 1)[0] if scheme.lower() == "bearer" else ""


def extra_of(headers: Headers, prefixes: Iterable[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return what headers with these prefixes say, by key in lower case."""
    extra: dict[str, list[str]] = {}
    for prefix in prefixes:
        for header, value in headers:
            if header.startswith(prefix):
                # Header names are case-insensitive and ASCII: Kubernetes
                # percent-encodes keys and lowers them.
                key = unquote(header.removeprefix(prefix))
                extra.setdefault(key, []).append(value)
    return tuple(sorted((key, tuple(values)) for key, values in extra.items()))


def with_authenticated_group(user: User) -> User:
    """Return a user with the group of all whose credentials are good (VIS-408)."""
    # A front proxy that named one of the two groups has decided already.
    if user.name == ANONYMOUS.name or {AUTHENTICATED, UNAUTHENTICATED} & set(user.groups):
        return user
    return replace(user, groups=(*user.groups, AUTHENTICATED))


def _first(request: Request, headers: Iterable[str]) -> str:
    return next((value for header in headers if (value := request.header(header))), "")
