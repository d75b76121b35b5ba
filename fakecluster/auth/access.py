"""The gatekeeper of the API: refuses what the authorizer does not allow, before anything else is looked at (FK-049, FK-396)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..api import routes, status
from ..api.outcome import Outcome, Request
from .attributes import Attributes
from .rbac import Authorizer

if TYPE_CHECKING:
    from ..api.context import Context

NO_SNIFF = (("X-Content-Type-Options", "nosniff"),)


class Access:
    """A handler that answers nothing and refuses what is not allowed."""

    def __init__(self, authorizer: Authorizer) -> None:
        self._authorizer = authorizer

    def __call__(self, api: Context, request: Request) -> Outcome | None:
        """Raise 403 unless the request is allowed."""
        del api
        wish = wished(request)
        decision = self._authorizer.decide(wish)
        if not decision.allowed:
            raise refused(wish, decision.reason)
        return None


def wished(request: Request) -> Attributes:
    """Return what a request asks for; a watch or list of one name is about that name (FK-003)."""
    info = routes.parse(request.method, request.path, request.query)
    return Attributes.of_request(request.user, info)


def refused(wish: Attributes, reason: str = "") -> status.StatusError:
    """Return the refusal of a wish (FK-049)."""
    text = wish.denial(reason)
    if wish.path:
        return status.StatusError(status.failure(403, "Forbidden", f"forbidden: {text}", {}).status, NO_SNIFF)
    qualified = f"{wish.resource}.{wish.group}" if wish.group else wish.resource
    named = f' "{wish.name}"' if wish.name else ""
    details = status.about(wish.name, wish.group, wish.resource)
    found = status.failure(403, "Forbidden", f"{qualified}{named} is forbidden: {text}", details)
    return status.StatusError(found.status, NO_SNIFF)
