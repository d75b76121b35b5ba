"""Acting as somebody else (FK-400): the headers, the right to use them, who one becomes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import unquote

from ..api import status
from ..api.outcome import User
from ..schema.fields import go_quote
from .attributes import Attributes
from .identity import ANONYMOUS, authenticated
from .rbac import SERVICE_ACCOUNT, Authorizer

Json = Any
EXTRA = "impersonate-extra-"
LEGACY = "impersonate"
AUTHENTICATION = "authentication.k8s.io"
Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Mask:
    """Whom a request wants to be."""

    name: str
    groups: tuple[str, ...]
    uid: str
    extra: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def worn(self) -> bool:
        """Whether anything was asked for."""
        return bool(self.name or self.groups or self.uid or self.extra)

    @property
    def service_account(self) -> tuple[str, str] | None:
        """(namespace, name) when it is a service account's."""
        parts = self.name.removeprefix(SERVICE_ACCOUNT).split(":")
        return (parts[0], parts[1]) if self.name.startswith(SERVICE_ACCOUNT) and len(parts) == 2 else None


def mask_of(headers: Headers) -> Mask:
    """Read the headers; of a repeated key the last spelling wins."""

    def every(name: str) -> tuple[str, ...]:
        return tuple(value for key, value in headers if key == name)

    names = dict.fromkeys(key for key, _ in headers if key.startswith(EXTRA))
    extra = {unquote(name.removeprefix(EXTRA)): every(name) for name in names}
    first = (every("impersonate-user") or ("",))[0]
    return Mask(
        first, every("impersonate-group"), (every("impersonate-uid") or ("",))[0], tuple(extra.items())
    )


def impersonated(user: User, headers: Headers, wish: Attributes, authorizer: Authorizer) -> User:
    """Return who the request acts as. Raises 400 without a user name, 403 without the right."""
    mask = mask_of(headers)
    if not mask.worn:
        return user
    if not mask.name:
        raise status.bad_request(f"requested {_printed(mask)} without impersonating a user name")
    if not all(authorizer.decide(one).allowed for one in _wishes(user, mask, LEGACY)):
        _check_constrained(user, mask, wish, authorizer)
    return _become(mask)


def _check_constrained(user: User, mask: Mask, wish: Attributes, authorizer: Authorizer) -> None:
    """Check the narrow rights: to do this one thing as somebody else, and to be that somebody."""
    from .access import refused

    mode = "serviceaccount" if mask.service_account else "user-info"
    on = replace(wish, user=user, verb=f"impersonate-on:{mode}:{wish.verb}")
    for needed in (on, *_wishes(user, mask, f"impersonate:{mode}")):
        decision = authorizer.decide(needed)
        if not decision.allowed:
            raise refused(needed, decision.reason)


def _wishes(user: User, mask: Mask, verb: str) -> Iterator[Attributes]:
    narrow = verb != LEGACY
    if mask.service_account:
        namespace, name = mask.service_account
        group = AUTHENTICATION if narrow else ""
        yield Attributes(
            user=user, verb=verb, group=group, resource="serviceaccounts", namespace=namespace, name=name
        )
    else:
        yield Attributes(
            user=user, verb=verb, group=AUTHENTICATION if narrow else "", resource="users", name=mask.name
        )
    for name in mask.groups:
        yield Attributes(
            user=user, verb=verb, group=AUTHENTICATION if narrow else "", resource="groups", name=name
        )
    for key, values in mask.extra:
        for value in values:
            yield Attributes(
                user=user, verb=verb, group=AUTHENTICATION, resource="userextras", subresource=key, name=value
            )  # fmt: skip
    if mask.uid:
        yield Attributes(user=user, verb=verb, group=AUTHENTICATION, resource="uids", name=mask.uid)


def _become(mask: Mask) -> User:
    groups = mask.groups
    if mask.service_account and not groups:
        groups = ("system:serviceaccounts", f"system:serviceaccounts:{mask.service_account[0]}")
    if mask.name == ANONYMOUS.name and not groups:
        groups = ANONYMOUS.groups
    return authenticated(User(name=mask.name, groups=groups, uid=mask.uid, extra=dict(mask.extra)))


def _printed(mask: Mask) -> str:
    """Return what was asked for as Go prints it."""
    groups = f"[]string{{{', '.join(map(go_quote, mask.groups))}}}" if mask.groups else "[]string(nil)"
    entries = ", ".join(
        f"{go_quote(key)}:[]string{{{', '.join(map(go_quote, values))}}}"
        for key, values in sorted(mask.extra)
    )
    extra = f"map[string][]string{{{entries}}}" if entries else "map[string][]string(nil)"
    return f'&user.DefaultInfo{{Name:"", UID:{go_quote(mask.uid)}, Groups:{groups}, Extra:{extra}}}'
