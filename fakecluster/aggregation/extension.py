"""An APIService that names a server of its own, and the book of all of them (FK-435, FK-441).

The book is made from what is stored when it is first needed after a change; a cluster without extensions pays
a look at an empty map for each request.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Container, Iterable, Mapping
from typing import Any, Self
from urllib.parse import unquote

from msgspec import Struct

from ..base.json_types import Json
from ..discovery.resources import version_rank
from ..store import Event, Store

APISERVICES = ("apiregistration.k8s.io", "apiservices")
AUTOMANAGED = "kube-aggregator.kubernetes.io/automanaged"


class Extension(Struct, frozen=True, kw_only=True):
    """A group and version that another server answers; none does when it names no Service."""

    name: str
    group: str
    version: str
    group_priority: int
    version_priority: int
    namespace: str = ""
    service: str = ""
    port: int = 443
    inside: bool = False
    """Whether a coroutine of this process answers for its Service."""
    ca: bytes | None = None
    """The authorities of its certificate, PEM; None when it is not verified."""
    available: bool = False

    @classmethod
    def of(cls, obj: Json, inside: Container[str] = ()) -> Self:
        """Return the extension that an APIService declares; `inside` has the Services that this process
        answers for, as `namespace/name`.
        """
        spec, service = obj["spec"], obj["spec"].get("service") or {}
        return cls(
            name=obj["metadata"]["name"],
            group=spec.get("group", ""),
            version=spec.get("version", ""),
            group_priority=spec.get("groupPriorityMinimum", 0),
            version_priority=spec.get("versionPriority", 0),
            namespace=service.get("namespace", ""),
            service=service.get("name", ""),
            port=service.get("port", 443),
            ca=None if spec.get("insecureSkipTLSVerify") else _bundle(spec.get("caBundle") or ""),
            inside=f"{service.get('namespace')}/{service.get('name')}" in inside,
            available=any(
                condition["type"] == "Available" and condition["status"] == "True"
                for condition in _conditions(obj)
            ),
        )

    @property
    def path(self) -> str:
        """The path under which it is asked."""
        return f"/apis/{self.group}/{self.version}"

    @property
    def group_key(self) -> str:
        """The path of its group as indexes of OpenAPI documents name it."""
        return f"apis/{self.group}"

    @property
    def backend(self) -> tuple[str, str, int]:
        """The port of a Service that answers; several versions may share it."""
        return self.namespace, self.service, self.port

    @property
    def service_key(self) -> str:
        """The Service as `namespace/name`."""
        return f"{self.namespace}/{self.service}"

    @property
    def server_name(self) -> str:
        """The name that its certificate must be good for."""
        return f"{self.service}.{self.namespace}.svc"

    @property
    def rank(self) -> tuple[Any, ...]:
        """The order of the versions of one group."""
        return -self.version_priority, version_rank(self.version)


class ExtensionIndex:
    """The APIServices of a store that are not the server's own."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._extensions: Mapping[tuple[str, str], Extension] | None = None
        self._inside: set[str] = set()
        self.generation = 0
        store.subscribe(self._follow, self.forget, (APISERVICES,))

    def all(self) -> Mapping[tuple[str, str], Extension]:
        """Return every one by group and version."""
        if self._extensions is None:
            objects = (stored.object for stored in self._store.list(APISERVICES))
            extensions = (
                Extension.of(apiservice, self._inside)
                for apiservice in objects
                if not _is_automanaged(apiservice)
            )
            self._extensions = {(extension.group, extension.version): extension for extension in extensions}
        return self._extensions

    def find(self, path: str) -> Extension | None:
        """Return the extension that answers a path, which may be escaped; None when it is this server."""
        extensions = self.all()
        # Go decodes a path as a whole, so that an encoded slash separates segments as well.
        segments = unquote(path).split("/", 4) if extensions else ()
        extension = (
            extensions.get((segments[2], segments[3]))
            if len(segments) > 3 and segments[1] == "apis"
            else None
        )
        return extension if extension is not None and extension.service else None

    @property
    def inside(self) -> frozenset[str]:
        """The Services for which this process answers, as `namespace/name`, whether a handler is there at
        present or not.
        """
        return frozenset(self._inside)

    def answer_inside(self, services: Iterable[str]) -> None:
        """Let this process answer for Services, given as `namespace/name`, wherever they point."""
        if new := set(services) - self._inside:
            self._inside |= new
            self.forget()

    def of_group(self, group: str) -> list[Extension]:
        """Return the available extensions of a group, the preferred version first."""
        available_extensions = (
            extension
            for extension in self.all().values()
            if extension.group == group and extension.service and extension.available
        )
        return sorted(available_extensions, key=lambda extension: extension.rank)

    def forget(self) -> None:
        """Look again, as after a restore."""
        self._extensions = None
        # Discovery documents are kept by this number.
        self.generation += 1

    def _follow(self, event: Event) -> None:
        del event
        self.forget()


def _is_automanaged(obj: Json) -> bool:
    return AUTOMANAGED in (obj["metadata"].get("labels") or {})


def _conditions(obj: Json) -> list[Json]:
    return list((obj.get("status") or {}).get("conditions") or ())


def _bundle(text: str) -> bytes:
    try:
        return base64.b64decode(text)
    except binascii.Error:
        return b""
