"""A connection into a pod that begins with GET, as WebSocket clients make it, needs the right to create it as
well (FK-397, FK-487).
"""

from __future__ import annotations

from ...api import status
from ...api.admission import Review
from ...api.attributes import Attributes
from .rbac import Authorizer

STREAMS = frozenset({"attach", "exec", "portforward"})


class Connections:
    """The check, after admission, whether a user may connect into a pod whatever the method."""

    def __init__(self, authorizer: Authorizer) -> None:
        self._authorizer = authorizer

    def check(self, review: Review) -> None:
        """Check the right to create a connection. Raises 403."""
        # A POST has been authorized as `create` already.
        if review.operation != "CONNECT" or review.subresource not in STREAMS or review.verb == "create":
            return
        kind = review.kind
        wish = Attributes(
            user=review.user,
            verb="create",
            group=kind.group,
            resource=kind.plural,
            subresource=review.subresource,
            namespace=review.place,
            name=review.name,
        )
        decision = self._authorizer.decide(wish)
        if not decision.allowed:
            raise status.forbidden(kind.group, kind.plural, review.name, decision.reason)
