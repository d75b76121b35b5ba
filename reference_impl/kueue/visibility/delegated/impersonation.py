"""Acting as another user (VIS-409): a constrained way needs the right to do this as others, and the right to
be this user.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from ....runtime.serving.exchange import Request
from ..attributes import Attributes, User
from ..guards import Authorizer, ForbiddenError
from .authorization import MASTERS
from .impersonation_headers import ImpersonationHeaders, mask_of

GROUP: Final = "authentication.k8s.io"


@dataclass(frozen=True, slots=True)
class ImpersonationMode:
    """One way to impersonate a user; the one without a name needs the verb `impersonate` only."""

    name: str
    applies: Callable[[ImpersonationHeaders], bool]


WAYS: Final = (
    ImpersonationMode("arbitrary-node", lambda mask: mask.has_only_name and bool(mask.node)),
    ImpersonationMode("serviceaccount", lambda mask: mask.has_only_name and mask.account is not None),
    ImpersonationMode("user-info", lambda mask: not mask.node and mask.account is None),
    ImpersonationMode("", lambda _: True),
)


class Impersonation:
    """Lets a request act as another user when one of the ways is allowed."""

    def __init__(self, authorizer: Authorizer) -> None:
        self._authorizer = authorizer

    async def impersonate(self, user: User, request: Request, attributes: Attributes) -> User:
        """Return the user in the impersonation headers, else the user of `attributes`.

        Raises BadMaskError, ForbiddenError, AuthorizerError.
        """
        mask = mask_of(request.headers)
        if mask is None:
            return user
        refusals: list[ForbiddenError] = []
        for constraint in WAYS:
            if not constraint.applies(mask):
                continue
            try:
                await self._check(user, constraint, mask, attributes)
            except ForbiddenError as refusal:
                refusals.append(refusal)
            else:
                return mask.user_worn(as_node=bool(constraint.name and mask.node))
        raise refusals[0]

    async def _check(
        self, user: User, constraint: ImpersonationMode, mask: ImpersonationHeaders, attributes: Attributes
    ) -> None:
        for wish in wishes(constraint, mask, attributes):
            if problem := forbidden(constraint, wish):
                raise ForbiddenError(user, wish, problem)
            decision = await self._authorizer.authorize(user, wish)
            if not decision.allowed:
                raise ForbiddenError(user, wish, decision.reason)


def wishes(
    constraint: ImpersonationMode, mask: ImpersonationHeaders, attributes: Attributes
) -> Iterator[Attributes]:
    """Yield what a user must be allowed to act as another in one way."""
    verb, group = ("impersonate", "")
    if constraint.name:
        verb, group = f"impersonate:{constraint.name}", GROUP
        yield replace(attributes, verb=f"impersonate-on:{constraint.name}:{attributes.verb}")
    base = Attributes(verb=verb, path="", group=group)
    if mask.account:
        yield replace(base, resource="serviceaccounts", namespace=mask.account[0], name=mask.account[1])
    elif constraint.name and mask.node:
        yield replace(base, resource="nodes", name=mask.node)
    else:
        yield replace(base, resource="users", name=mask.user.name)
    if mask.user.uid:
        yield replace(base, group=GROUP, resource="uids", name=mask.user.uid)
    for name in mask.user.groups:
        yield replace(base, resource="groups", name=name)
    for key, values in mask.user.extra:
        for value in values:
            yield replace(base, group=GROUP, resource="userextras", subresource=key, name=value)


def forbidden(constraint: ImpersonationMode, wish: Attributes) -> str:
    """Return why no right allows a wish in a constrained way, empty when one may."""
    if not constraint.name or wish.resource != "groups" or wish.group != GROUP:
        return ""
    if not wish.name:
        return "impersonating the empty string group is not allowed"
    return "impersonating the system:masters group is not allowed" if wish.name == MASTERS else ""
