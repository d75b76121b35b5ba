"""Impersonation (FK-400): which users may act as another one,
in which of several ways, and what user results.

A constrained way needs two rights: to do this request as another user, and to be that user. The legacy way
needs the second one only. The way that let a user pass is tried first the next time, so its refusal is what
that user reads then.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from ..api import status
from ..api.attributes import Attributes
from ..api.outcome import User
from .authentication.authenticator import ANONYMOUS, AUTHENTICATED, UNAUTHENTICATED
from .authorization.access import refused
from .authorization.rbac import MASTERS, Authorizer, Rights
from .impersonation_headers import Headers, ImpersonatedUser, account_of, impersonated_user

GROUP = "authentication.k8s.io"
NODES = "system:nodes"
NODE_NAME = "authentication.kubernetes.io/node-name"
ASSOCIATED_KEYS = "authentication.kubernetes.io/associated-node-keys"
MANY = 4
"""From so many names on, one right to all of them is looked for first."""
REMEMBERED = 10_000


class Way(Struct, frozen=True):
    """One way to impersonate: its name in verbs (none for the legacy one), and for whom it is meant."""

    name: str
    meant_for: Callable[[ImpersonatedUser, User], bool]

    @property
    def verb(self) -> str:
        """The verb of the right to be another user."""
        return f"impersonate:{self.name}" if self.name else "impersonate"


def _own_node(wanted: ImpersonatedUser, user: User) -> bool:
    node = user.extra.get(NODE_NAME, ())
    return (
        wanted.only_named
        and bool(wanted.node)
        and account_of(user.name) is not None
        and node == (wanted.node,)
    )


ASSOCIATED = Way("associated-node", _own_node)
LEGACY = Way("", lambda wanted, user: True)  # noqa: ARG005 - any user
WAYS = (
    ASSOCIATED,
    Way("arbitrary-node", lambda wanted, _: wanted.only_named and bool(wanted.node)),
    Way("serviceaccount", lambda wanted, _: wanted.only_named and wanted.service_account is not None),
    Way("user-info", lambda wanted, _: not wanted.node and wanted.service_account is None),
    LEGACY,
)


class Impersonation:
    """Decides for one cluster who may act as whom."""

    def __init__(self, authorizer: Authorizer) -> None:
        self._authorizer = authorizer
        self._last: dict[str, Way] = {}

    def acting(self, user: User, headers: Headers, wish: Attributes) -> User:
        """Return as whom a request acts. Raises 400 for a user without a name, 403 without the right."""
        wanted = impersonated_user(headers)
        return user if wanted is None else self._become(user, wanted, wish)

    def _become(self, user: User, wanted: ImpersonatedUser, wish: Attributes) -> User:
        refusal: status.StatusError | None = None
        last = self._last.get(user.name)
        for way in dict.fromkeys((last, *WAYS) if last else WAYS):
            if not way.meant_for(wanted, user):
                continue
            try:
                self._check(way, user, wanted, wish)
            except status.StatusError as error:
                refusal = refusal or error
                continue
            self._remember(user, way)
            return acting_user(wanted, way)
        raise refusal or status.internal("all impersonation modes failed")

    def _remember(self, user: User, way: Way) -> None:
        if len(self._last) >= REMEMBERED:
            self._last.clear()
        self._last[user.name] = way

    def _check(self, way: Way, user: User, wanted: ImpersonatedUser, wish: Attributes) -> None:
        asking = _of_any_node(user) if way is ASSOCIATED else user
        if way.name:
            self._allow(replace(wish, user=asking, verb=f"impersonate-on:{way.name}:{wish.verb}"))
        self._allow(_to_be(way, asking, wanted))
        base = Attributes(user=asking, verb=way.verb, group=GROUP)
        if wanted.uid:
            self._allow(replace(base, resource="uids", name=wanted.uid))
        self._check_groups(way, replace(base, group=GROUP if way.name else "", resource="groups"), wanted)
        self._check_extra(way, replace(base, resource="userextras"), wanted)

    def _check_groups(self, way: Way, wish: Attributes, wanted: ImpersonatedUser) -> None:
        if way.name and "" in wanted.groups:
            raise refused(wish, "impersonating the empty string group is not allowed")
        if way.name and MASTERS in wanted.groups:
            raise refused(
                replace(wish, name=MASTERS), "impersonating the system:masters group is not allowed"
            )
        if len(wanted.groups) < MANY or not self._allows_all(way, replace(wish, name="*")):
            self._allow_names(self._rights(wish), wish, wanted.groups)

    def _check_extra(self, way: Way, wish: Attributes, wanted: ImpersonatedUser) -> None:
        if way.name and wanted.extra_problem:
            raise refused(wish, wanted.extra_problem)
        count = sum(map(len, wanted.extra.values()))
        if count >= MANY and self._allows_all(way, replace(wish, subresource="*", name="*")):
            return
        rights = self._rights(wish)
        for key, values in wanted.extra.items():
            self._allow_names(rights, replace(wish, subresource=key), values)

    def _allows_all(self, way: Way, wish: Attributes) -> bool:
        """Whether one right stands for those to all names."""
        return bool(way.name) and self._authorizer.decide(wish).allowed

    def _rights(self, wish: Attributes) -> Rights:
        """Return the rights from which many wishes that differ
        by name are answered: there may be ten thousands.
        """
        return self._authorizer.rights(wish.user, wish.namespace).about(wish.verb, wish.group)

    def _allow_names(self, rights: Rights, wish: Attributes, names: tuple[str, ...]) -> None:
        name = rights.first_refused(wish, names)
        if name is not None:
            raise refused(replace(wish, name=name), rights.reason)

    def _allow(self, wish: Attributes) -> None:
        decision = self._authorizer.decide(wish)
        if not decision.allowed:
            raise refused(wish, decision.reason)


def acting_user(wanted: ImpersonatedUser, way: Way) -> User:
    """Return the user that the headers ask for, with the groups that go without saying."""
    groups, account = wanted.groups, wanted.service_account
    if way.name and wanted.node:
        groups = (NODES,)
    elif account and not groups:
        groups = ("system:serviceaccounts", f"system:serviceaccounts:{account[0]}")
    if wanted.name == ANONYMOUS.name:
        groups = _with(groups, UNAUTHENTICATED)
    elif UNAUTHENTICATED not in groups:
        groups = _with(groups, AUTHENTICATED)
    return User(name=wanted.name, groups=groups, uid=wanted.uid, extra=wanted.extra)


def _with(groups: tuple[str, ...], group: str) -> tuple[str, ...]:
    return groups if group in groups else (*groups, group)


def _of_any_node(user: User) -> User:
    """Return a service account without what ties it to its node:
    the right is one to whatever node it runs on.
    """
    return replace(user, extra={ASSOCIATED_KEYS: tuple(sorted(user.extra))})


def _to_be(way: Way, user: User, wanted: ImpersonatedUser) -> Attributes:
    wish = Attributes(
        user=user, verb=way.verb, group=GROUP if way.name else "", resource="users", name=wanted.name
    )
    account = wanted.service_account
    if account:
        return replace(wish, resource="serviceaccounts", namespace=account[0], name=account[1])
    if way.name and wanted.node:
        return replace(wish, resource="nodes", name="*" if way is ASSOCIATED else wanted.node)
    return wish
