"""The attributes of a request for authorization and flow control (VIS-421…424)."""

from __future__ import annotations

from dataclasses import dataclass

GROUP = "visibility.kueue.x-k8s.io"


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """An authenticated user, or `system:anonymous`."""

    name: str
    uid: str = ""
    groups: tuple[str, ...] = ()
    extra: tuple[tuple[str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Attributes:
    """A verb on a resource, or on a path that is no resource: then `resource` is empty."""

    verb: str
    path: str
    group: str = ""
    version: str = ""
    resource: str = ""
    subresource: str = ""
    namespace: str = ""
    name: str = ""

    @property
    def is_resource(self) -> bool:
        """Tell whether the path names a resource."""
        return bool(self.resource)
