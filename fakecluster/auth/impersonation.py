"""Acting as somebody else (FK-400): who may, in which of several ways, and who one becomes.

A constrained way needs two rights: to do this very thing as somebody else, and to be that somebody. The legacy way needs
the second one only. The way that let a user pass is tried first the next time, so its refusal is what that user reads then.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from ..api import status
from ..api.attributes import Attributes
from ..api.outcome import User
from .access import refused
from .identity import ANONYMOUS, AUTHENTICATED, UNAUTHENTICATED
from .mask import Headers, Mask, account_of, mask_of
from .rbac import MASTERS, Authorizer

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
    meant_for: Callable[[Mask, User], bool]

    @property
    def verb(self) -> str:
        """The verb of the right to be somebody."""
        return f"impersonate:{self.name}" if self.name else "impersonate"


def _own_node(mask: Mask, user: User) -> bool:
    node = user.extra.get(NODE_NAME, ())
    return mask.only_named and bool(mask.node) and account_of(user.name) is not None and node == (mask.node,)


ASSOCIATED = Way("associated-node", _own_node)
LEGACY = Way("", lambda mask, user: True)  # noqa: ARG005 - everybody
WAYS = (
    ASSOCIATED,
    Way("arbitrary-node", lambda mask, _: mask.only_named and bool(mask.node)),
    Way("serviceaccount", lambda mask, _: mask.only_named and mask.service_account is not None),
    Way("user-info", lambda mask, _: not mask.node and mask.service_account is None),
    LEGACY,
)


class Impersonation:
    """Decides for one cluster who may act as whom."""

    def __init__(self, authorizer: Authorizer) -> None:
        self._authorizer = authorizer
        self._last: dict[str, Way] = {}

    def acting(self, user: User, headers: Headers, wish: Attributes) -> User:
        """Return as whom a request acts. Raises 400 for a mask without a name, 403 without the right."""
        mask = mask_of(headers)
        return user if mask is None else self._become(user, mask, wish)

    def _become(self, user: User, mask: Mask, wish: Attributes) -> User:
        refusal: status.StatusError | None = None
        last = self._last.get(user.name)
        for way in dict.fromkeys((last, *WAYS) if last else WAYS):
            if not way.meant_for(mask, user):
                continue
            try:
                self._check(way, user, mask, wish)
            except status.StatusError as error:
                refusal = refusal or error
                continue
            self._remember(user, way)
            return worn(mask, way)
        raise refusal or status.internal("all impersonation modes failed")

    def _remember(self, user: User, way: Way) -> None:
        if len(self._last) >= REMEMBERED:
            self._last.clear()
        self._last[user.name] = way

    def _check(self, way: Way, user: User, mask: Mask, wish: Attributes) -> None:
        asking = _of_any_node(user) if way is ASSOCIATED else user
        if way.name:
            self._allow(replace(wish, user=asking, verb=f"impersonate-on:{way.name}:{wish.verb}"))
        self._allow(_to_be(way, asking, mask))
        base = Attributes(user=asking, verb=way.verb, group=GROUP)
        if mask.uid:
            self._allow(replace(base, resource="uids", name=mask.uid))
        self._check_groups(way, replace(base, group=GROUP if way.name else "", resource="groups"), mask)
        self._check_extra(way, replace(base, resource="userextras"), mask)

    def _check_groups(self, way: Way, wish: Attributes, mask: Mask) -> None:
        if way.name and "" in mask.groups:
            raise refused(wish, "impersonating the empty string group is not allowed")
        if way.name and MASTERS in mask.groups:
            raise refused(
                replace(wish, name=MASTERS), "impersonating the system:masters group is not allowed"
            )
        everything = replace(wish, name="*")
        self._allow_each(way, everything, [replace(wish, name=name) for name in mask.groups])

    def _check_extra(self, way: Way, wish: Attributes, mask: Mask) -> None:
        if way.name and mask.extra_problem:
            raise refused(wish, mask.extra_problem)
        everything = replace(wish, subresource="*", name="*")
        each = [
            replace(wish, subresource=key, name=value)
            for key, values in mask.extra.items()
            for value in values
        ]
        self._allow_each(way, everything, each)

    def _allow_each(self, way: Way, everything: Attributes, each: list[Attributes]) -> None:
        if way.name and len(each) >= MANY and self._authorizer.decide(everything).allowed:
            return
        for one in each:
            self._allow(one)

    def _allow(self, wish: Attributes) -> None:
        decision = self._authorizer.decide(wish)
        if not decision.allowed:
            raise refused(wish, decision.reason)


def worn(mask: Mask, way: Way) -> User:
    """Return the user that a mask makes, with the groups that go without saying."""
    groups, account = mask.groups, mask.service_account
    if way.name and mask.node:
        groups = (NODES,)
    elif account and not groups:
        groups = ("system:serviceaccounts", f"system:serviceaccounts:{account[0]}")
    if mask.name == ANONYMOUS.name:
        groups = _with(groups, UNAUTHENTICATED)
    elif UNAUTHENTICATED not in groups:
        groups = _with(groups, AUTHENTICATED)
    return User(name=mask.name, groups=groups, uid=mask.uid, extra=mask.extra)


def _with(groups: tuple[str, ...], group: str) -> tuple[str, ...]:
    return groups if group in groups else (*groups, group)


def _of_any_node(user: User) -> User:
    """Return a service account without what ties it to its node: the right is one to whatever node it runs on."""
    return replace(user, extra={ASSOCIATED_KEYS: tuple(sorted(user.extra))})


def _to_be(way: Way, user: User, mask: Mask) -> Attributes:
    wish = Attributes(
        user=user, verb=way.verb, group=GROUP if way.name else "", resource="users", name=mask.name
    )
    account = mask.service_account
    if account:
        return replace(wish, resource="serviceaccounts", namespace=account[0], name=account[1])
    if way.name and mask.node:
        return replace(wish, resource="nodes", name="*" if way is ASSOCIATED else mask.node)
    return wish
