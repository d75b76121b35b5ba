"""Raw JSON and names: a `Resource` is a kind of object at its URL, a `Key` is one object of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

Json = Any
"""Raw JSON as it crosses the wire. A value that was handed out is never changed; make a new one."""


class Key(NamedTuple):
    """The name of one object; cluster-scoped objects have an empty namespace."""

    namespace: str
    name: str

    def __str__(self) -> str:
        return f"{self.namespace}/{self.name}" if self.namespace else self.name


def key_of(obj: Json) -> Key:
    """Return the key of an object."""
    metadata = obj["metadata"]
    return Key(metadata.get("namespace", ""), metadata["name"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """Where the objects of a kind live."""

    group: str
    version: str
    plural: str
    kind: str
    namespaced: bool = True

    @property
    def api_version(self) -> str:
        """Return what objects carry as `apiVersion`."""
        return f"{self.group}/{self.version}" if self.group else self.version

    def path(self, namespace: str = "", name: str = "", subresource: str = "") -> str:
        """Return the URL path of an object, or of all objects of a namespace or of the cluster."""
        segments = ["apis", self.group, self.version] if self.group else ["api", self.version]
        if self.namespaced and namespace:
            segments += ["namespaces", namespace]
        segments += [segment for segment in (self.plural, name, subresource) if segment]
        return "/" + "/".join(segments)

    def __str__(self) -> str:
        return f"{self.plural}.{self.group}" if self.group else self.plural
