"""The user that a request is to be answered as: the `Impersonate-*` headers (VIS-409, VC-22)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import orjson

from ....runtime.serving.exchange import Headers
from ..attributes import User
from ..guards import BadImpersonationError
from .identity import ANONYMOUS, AUTHENTICATED, UNAUTHENTICATED, extra_of

ACCOUNT, NODE = "system:serviceaccount:", "system:node:"
NODES = "system:nodes"
USER, UID, GROUP, EXTRA = "impersonate-user", "impersonate-uid", "impersonate-group", "impersonate-extra-"


@dataclass(frozen=True, slots=True)
class ImpersonationHeaders:
    """A user as the headers describe it, before the groups that follow from the name are added."""

    user: User

    @property
    def has_only_name(self) -> bool:
        """Tell whether nothing but the name was given."""
        return not (self.user.uid or self.user.groups or self.user.extra)

    @property
    def account(self) -> tuple[str, str] | None:
        """Return (namespace, name) when it is the name of a ServiceAccount."""
        namespace, colon, name = self.user.name.removeprefix(ACCOUNT).partition(":")
        is_account = self.user.name.startswith(ACCOUNT) and colon and namespace and name and ":" not in name
        return (namespace, name) if is_account else None

    @property
    def node(self) -> str:
        """Return the node when it is the name of one."""
        return self.user.name.removeprefix(NODE) if self.user.name.startswith(NODE) else ""

    def user_worn(self, *, as_node: bool) -> User:
        """Return the user, with the groups that follow from the name."""
        user, groups = self.user, self.user.groups
        if as_node:
            groups = (NODES,)
        # Groups that were given replace those that follow from a name, as in
        # Kubernetes.
        elif self.account and not groups:
            groups = ("system:serviceaccounts", f"system:serviceaccounts:{self.account[0]}")
        # The anonymous user is never in system:authenticated, whoever acts as it.
        if user.name == ANONYMOUS.name:
            groups = _with(groups, UNAUTHENTICATED)
        elif UNAUTHENTICATED not in groups:
            groups = _with(groups, AUTHENTICATED)
        return User(name=user.name, uid=user.uid, groups=groups, extra=user.extra)


def mask_of(headers: Headers) -> ImpersonationHeaders | None:
    """Read the headers; None when there are none. Raises BadMaskError for a mask without a name."""
    impersonation_headers = [(name, value) for name, value in headers if name.startswith("impersonate-")]
    user = User(
        name=_first(impersonation_headers, USER),
        uid=_first(impersonation_headers, UID),
        groups=tuple(value for name, value in impersonation_headers if name == GROUP),
        extra=extra_of(tuple(impersonation_headers), (EXTRA,)),
    )
    mask = ImpersonationHeaders(user)
    if user.name:
        return mask
    if mask.has_only_name:
        return None
    raise BadImpersonationError(f"requested {_render(user)} without impersonating a user name")


def _with(groups: tuple[str, ...], group: str) -> tuple[str, ...]:
    return groups if group in groups else (*groups, group)


def _first(headers: Iterable[tuple[str, str]], name: str) -> str:
    return next((value for header, value in headers if header == name), "")


def _render(user: User) -> str:
    """Return a user as Go prints the value."""
    groups = _strings(user.groups) if user.groups else "[]string(nil)"
    entries = ", ".join(f"{_quote(key)}:{_strings(values)}" for key, values in user.extra)
    extra = f"map[string][]string{{{entries}}}" if entries else "map[string][]string(nil)"
    return f'&user.DefaultInfo{{Name:"", UID:{_quote(user.uid)}, Groups:{groups}, Extra:{extra}}}'


def _strings(values: Iterable[str]) -> str:
    return f"[]string{{{', '.join(map(_quote, values))}}}"


def _quote(text: str) -> str:
    # Headers hold no control characters but the tab; JSON and Go quote all others alike.
    return orjson.dumps(text).decode()
