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
from .authorization.access import refusal_of
from .authorization.rbac import MASTERS, Authorizer, ResolvedRules
from .impersonation_headers import Headers, ImpersonatedUser, account_of, read_impersonation

GROUP = "authentication.k8s.io"
NODES = "system:nodes"
NODE_NAME = "authentication.kubernetes.io/node-name"
ASSOCIATED_KEYS = "authentication.kubernetes.io/associated-node-keys"
MANY_NAMES = 4
"""From so many names on, one right to all of them is looked for first."""
MAX_REMEMBERED_DECISIONS = 10_000


class ImpersonationMode(Struct, frozen=True):
    """One way to impersonate: its name in verbs (none for the legacy one), and for whom it is meant."""

    name: str
    meant_for: Callable[[ImpersonatedUser, User], bool]

    @property
    def verb(self) -> str:
        """The verb of the right to be another user."""
        return f"impersonate:{self.name}" if self.name else "impersonate"


def _own_node(impersonated: ImpersonatedUser, user: User) -> bool:
    node = user.extra.get(NODE_NAME, ())
    return (
        impersonated.only_named
        and bool(impersonated.node)
        and account_of(user.name) is not None
        and node == (impersonated.node,)
    )


ASSOCIATED_NODE = ImpersonationMode("associated-node", _own_node)
# Last of all: it is asked only when no constrained way allows.
LEGACY_MODE = ImpersonationMode("", lambda impersonated, user: True)  # noqa: ARG005 - any user
MODES = (
    ASSOCIATED_NODE,
    ImpersonationMode(
        "arbitrary-node", lambda impersonated, _: impersonated.only_named and bool(impersonated.node)
    ),
    ImpersonationMode(
        "serviceaccount",
        lambda impersonated, _: impersonated.only_named and impersonated.service_account is not None,
    ),
    ImpersonationMode(
        "user-info", lambda impersonated, _: not impersonated.node and impersonated.service_account is None
    ),
    LEGACY_MODE,
)


class Impersonation:
    """Decides for one cluster who may act as whom."""

    def __init__(self, authorizer: Authorizer) -> None:
        self._authorizer = authorizer
        self._last: dict[str, ImpersonationMode] = {}

    def acting(self, user: User, headers: Headers, attributes: Attributes) -> User:
        """Return as whom a request acts. Raises 400 for a user without a name, 403 without the right."""
        impersonated = read_impersonation(headers)
        return user if impersonated is None else self._become(user, impersonated, attributes)

    def _become(self, user: User, impersonated: ImpersonatedUser, attributes: Attributes) -> User:
        refusal: status.StatusError | None = None
        last = self._last.get(user.name)
        # A client keeps to one mode, so the one that was allowed last is tried first.
        for mode in dict.fromkeys((last, *MODES) if last else MODES):
            # A way that is not meant for such a user leaves no refusal behind.
            if not mode.meant_for(impersonated, user):
                continue
            try:
                self._check(mode, user, impersonated, attributes)
            except status.StatusError as error:
                # The first refusal is the one to read: that of the way that was tried first.
                refusal = refusal or error
                continue
            self._remember(user, mode)
            return acting_user(impersonated, mode)
        raise refusal or status.internal("all impersonation modes failed")

    def _remember(self, user: User, mode: ImpersonationMode) -> None:
        if len(self._last) >= MAX_REMEMBERED_DECISIONS:
            # Forgetting costs a few more decisions; remembering every name would cost memory without limit.
            self._last.clear()
        self._last[user.name] = mode

    def _check(
        self, mode: ImpersonationMode, user: User, impersonated: ImpersonatedUser, attributes: Attributes
    ) -> None:
        # The right is one to whatever node the account runs on, so the node is left out of the question.
        asking = _of_any_node(user) if mode is ASSOCIATED_NODE else user
        # Both rights, first that to do this request as another.
        if mode.name:
            self._allow(
                replace(attributes, user=asking, verb=f"impersonate-on:{mode.name}:{attributes.verb}")
            )
        self._allow(_to_be(mode, asking, impersonated))
        base = Attributes(user=asking, verb=mode.verb, group=GROUP)
        if impersonated.uid:
            self._allow(replace(base, resource="uids", name=impersonated.uid))
        # The legacy way asks about groups in the core group, the others in that of authentication.
        self._check_groups(
            mode, replace(base, group=GROUP if mode.name else "", resource="groups"), impersonated
        )
        self._check_extra(mode, replace(base, resource="userextras"), impersonated)

    def _check_groups(
        self, mode: ImpersonationMode, attributes: Attributes, impersonated: ImpersonatedUser
    ) -> None:
        if mode.name and "" in impersonated.groups:
            raise refusal_of(attributes, "impersonating the empty string group is not allowed")
        # A right to all groups is no right to be an administrator.
        if mode.name and MASTERS in impersonated.groups:
            raise refusal_of(
                replace(attributes, name=MASTERS), "impersonating the system:masters group is not allowed"
            )
        # One right to all names answers for many; a wildcard is asked only where it pays.
        if len(impersonated.groups) < MANY_NAMES or not self._allows_all(mode, replace(attributes, name="*")):
            self._allow_names(self._rights(attributes), attributes, impersonated.groups)

    def _check_extra(
        self, mode: ImpersonationMode, attributes: Attributes, impersonated: ImpersonatedUser
    ) -> None:
        if mode.name and impersonated.extra_problem:
            raise refusal_of(attributes, impersonated.extra_problem)
        count = sum(map(len, impersonated.extra.values()))
        # One decision about all names instead of one for each of thousands.
        if count >= MANY_NAMES and self._allows_all(mode, replace(attributes, subresource="*", name="*")):
            return
        rights = self._rights(attributes)
        for key, values in impersonated.extra.items():
            self._allow_names(rights, replace(attributes, subresource=key), values)

    def _allows_all(self, mode: ImpersonationMode, attributes: Attributes) -> bool:
        """Whether one right stands for those to all names."""
        return bool(mode.name) and self._authorizer.decide(attributes).allowed

    def _rights(self, attributes: Attributes) -> ResolvedRules:
        """Return the rights from which many wishes that differ
        by name are answered: there may be ten thousands.
        """
        return self._authorizer.rights(attributes.user, attributes.namespace).about(
            attributes.verb, attributes.group
        )

    def _allow_names(self, rights: ResolvedRules, attributes: Attributes, names: tuple[str, ...]) -> None:
        name = rights.first_refused(attributes, names)
        if name is not None:
            raise refusal_of(replace(attributes, name=name), rights.reason)

    def _allow(self, attributes: Attributes) -> None:
        decision = self._authorizer.decide(attributes)
        if not decision.allowed:
            raise refusal_of(attributes, decision.reason)


def acting_user(impersonated: ImpersonatedUser, mode: ImpersonationMode) -> User:
    """Return the user that the headers ask for, with the groups that go without saying."""
    groups, account = impersonated.groups, impersonated.service_account
    # A node has its group and no other, whatever was asked.
    if mode.name and impersonated.node:
        groups = (NODES,)
    elif account and not groups:
        groups = ("system:serviceaccounts", f"system:serviceaccounts:{account[0]}")
    # Anonymous users are in the group of unauthenticated ones, all others in that of authenticated ones.
    if impersonated.name == ANONYMOUS.name:
        groups = _with(groups, UNAUTHENTICATED)
    elif UNAUTHENTICATED not in groups:
        groups = _with(groups, AUTHENTICATED)
    return User(name=impersonated.name, groups=groups, uid=impersonated.uid, extra=impersonated.extra)


def _with(groups: tuple[str, ...], group: str) -> tuple[str, ...]:
    return groups if group in groups else (*groups, group)


def _of_any_node(user: User) -> User:
    """Return a service account without what ties it to its node:
    the right is one to whatever node it runs on.
    """
    return replace(user, extra={ASSOCIATED_KEYS: tuple(sorted(user.extra))})


def _to_be(mode: ImpersonationMode, user: User, impersonated: ImpersonatedUser) -> Attributes:
    attributes = Attributes(
        user=user, verb=mode.verb, group=GROUP if mode.name else "", resource="users", name=impersonated.name
    )
    account = impersonated.service_account
    if account:
        return replace(attributes, resource="serviceaccounts", namespace=account[0], name=account[1])
    if mode.name and impersonated.node:
        return replace(
            attributes, resource="nodes", name="*" if mode is ASSOCIATED_NODE else impersonated.node
        )
    return attributes
