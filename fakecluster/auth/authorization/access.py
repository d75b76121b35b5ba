"""The gatekeeper of the API: refuses what the authorizer does not allow, before anything else is looked at
(FK-049, FK-396).
"""

from __future__ import annotations

from msgspec.structs import replace

from ...api import routes, status
from ...api.attributes import Attributes
from ...api.context import Context
from ...api.outcome import Outcome, Request
from ...codec.media import content_type
from ...registry.verbs.patches.patching import APPLY
from ...schema.fields import go_quote
from .rbac import Authorizer

NO_SNIFF = (("X-Content-Type-Options", "nosniff"),)


class Access:
    """A handler that answers no request and refuses those that are not authorized."""

    def __init__(self, authorizer: Authorizer) -> None:
        self._authorizer = authorizer

    def __call__(self, api: Context, request: Request) -> Outcome | None:
        """Raise 403 unless the request is allowed; an apply that makes its object needs `create` as well
        (FK-397).
        """
        wish = wished(request)
        self._check(wish)
        if _makes_its_object(api, request):
            self._check(replace(wish, verb="create"))
        return None

    def _check(self, wish: Attributes) -> None:
        decision = self._authorizer.decide(wish)
        if not decision.allowed:
            raise refused(wish, decision.reason)


def _makes_its_object(api: Context, request: Request) -> bool:
    """Tell whether this is an apply of an object that does not exist."""
    if request.method != "PATCH" or content_type(request.headers.get("content-type", "")) != APPLY:
        return False
    info = routes.parse(request.method, request.path, request.query)
    kind = api.registry.find(info.group, info.version, info.resource)
    if kind is None or info.subresource:
        return False
    return api.store.get(kind.stored_as, (info.namespace if kind.namespaced else "", info.name)) is None


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
    named = f" {go_quote(wish.name)}" if wish.name else ""
    details = status.about(wish.name, wish.group, wish.resource)
    found = status.failure(403, "Forbidden", f"{qualified}{named} is forbidden: {text}", details)
    return status.StatusError(found.status, NO_SNIFF)
