"""The gatekeeper of the API: refuses what the authorizer does not allow,
before anything else is looked at (FK-049, FK-396).
"""

from __future__ import annotations

from ...api import routes, status
from ...api.attributes import Attributes
from ...api.context import Context
from ...api.outcome import Outcome, Request, User
from ...registry.selection.name_selector import name_from_selector
from ...schema.fields import go_quote
from .rbac import Authorizer

NO_SNIFF = (("X-Content-Type-Options", "nosniff"),)


class Access:
    """A handler that answers no request and refuses those that are not authorized."""

    def __init__(self, authorizer: Authorizer) -> None:
        self._authorizer = authorizer

    def __call__(self, api: Context, request: Request) -> Outcome | None:
        """Raise 403 unless the request is allowed; what it needs beside that is in `further_rights`."""
        del api
        check(self._authorizer, attributes_of(request, request.user))
        return None


def check(authorizer: Authorizer, attributes: Attributes) -> None:
    """Check one right. Raises 403."""
    decision = authorizer.decide(attributes)
    if not decision.allowed:
        raise refusal_of(attributes, decision.reason)


def attributes_of(request: Request, user: User) -> Attributes:
    """Return what a user asks for; a watch or list of one name is about that name (FK-003)."""
    info = routes.parse(request.method, request.path, request.query)
    return Attributes.of_request(user, info, name_from_selector(info, request.query))


def refusal_of(attributes: Attributes, reason: str = "") -> status.StatusError:
    """Return the refusal of a request with these attributes (FK-049)."""
    text = attributes.denial(reason)
    if attributes.path:
        # A path has no object that details could name.
        return status.StatusError(status.failure(403, "Forbidden", f"forbidden: {text}", {}).status, NO_SNIFF)
    qualified = f"{attributes.resource}.{attributes.group}" if attributes.group else attributes.resource
    named = f" {go_quote(attributes.name)}" if attributes.name else ""
    details = status.about(attributes.name, attributes.group, attributes.resource)
    refusal = status.failure(403, "Forbidden", f"{qualified}{named} is forbidden: {text}", details)
    return status.StatusError(refusal.status, NO_SNIFF)
