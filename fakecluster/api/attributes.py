"""What a user wants to do, as authorization sees it (FK-394, FK-396, FK-397)."""

from __future__ import annotations

from typing import Self

from msgspec import Struct

from ..schema.fields import go_quote
from .outcome import User
from .routes import RequestInfo

HTML_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


class Attributes(Struct, frozen=True, kw_only=True):
    """The attributes of a request for authorization: user, verb, and resource, or path when `path` is set."""

    user: User
    verb: str
    group: str = ""
    resource: str = ""
    subresource: str = ""
    namespace: str = ""
    name: str = ""
    path: str = ""

    @classmethod
    def of_request(cls, user: User, info: RequestInfo, selected: str = "") -> Self:
        """Return what a request asks for; `selected` is the one name that its field selector lets through."""
        if not info.is_resource:
            return cls(user=user, verb=info.verb, path=info.path)
        return cls(
            user=user,
            verb=info.verb,
            group=info.group,
            resource=info.resource,
            subresource=info.subresource,
            namespace=info.namespace,
            name=info.name or selected,
        )

    @property
    def full_resource(self) -> str:
        """The resource with its subresource, as rules name it."""
        return f"{self.resource}/{self.subresource}" if self.subresource else self.resource

    def denial(self, reason: str = "") -> str:
        """Return why it was refused, as clients read it."""
        why = f": {reason}" if reason else ""
        text = f"User {go_quote(self.user.name)} cannot {self.verb} {self._wish()}"
        return f"{text.translate(HTML_ESCAPES)}{why}"

    def _wish(self) -> str:
        if self.path:
            return f"path {go_quote(self.path)}"
        namespace = go_quote(self.namespace)
        where = f"in the namespace {namespace}" if self.namespace else "at the cluster scope"
        return f"resource {go_quote(self.full_resource)} in API group {go_quote(self.group)} {where}"
