"""A write that makes its object needs the right to create it, whatever its own verb (FK-397)."""

from __future__ import annotations

from ...api.admission import Review
from ...api.attributes import Attributes
from . import access
from .rbac import Authorizer


class CreationByUpdate:
    """The check, before a write is validated by admission,
    whether its user may make what a PUT or an apply makes.
    """

    def __init__(self, authorizer: Authorizer) -> None:
        self._authorizer = authorizer

    def check(self, review: Review) -> None:
        """Check the right to create the object by its name. Raises 403."""
        # A POST has been authorized as `create` already; here a PUT or an apply makes the object.
        if review.operation != "CREATE" or review.verb == "create":
            return
        wish = Attributes(
            user=review.user,
            verb="create",
            group=review.kind.group,
            resource=review.kind.plural,
            subresource=review.subresource,
            namespace=review.place,
            name=review.name,
        )
        access.check(self._authorizer, wish)
