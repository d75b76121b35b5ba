"""The OpenAPI documents of one registry, each made when it is
first asked for and kept until its kinds change (FK-375).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from functools import partial

from ...api.kind import Kind
from ...api.registry import Registry
from ...base.json_types import Json
from ...store import encode
from ..resources import OtherServers
from . import v2, v3
from .meta import Page, pages
from .names import path_of

Content = tuple[tuple[Kind, ...], tuple[Page, ...]]
Make = Callable[[], Json]
"""Makes a document; takes long where definitions are large, and may be called on any thread."""


class OpenApi:
    """Documents, their hashes and their index."""

    def __init__(self, registry: Registry, other_servers: OtherServers) -> None:
        self._registry = registry
        self._other_servers = other_servers
        self._generation = -1
        self._contents: dict[str, Content] = {}
        self._hashes: dict[str, tuple[Content, str]] = {}
        self._documents: dict[str, tuple[Content, Json]] = {}

    def index(self) -> bytes:
        """Return the list of documents."""
        own = {path: {"serverRelativeURL": self.location(path)} for path in self._by_path()}
        return encode({"paths": self._other_servers.paths(own)})

    def location(self, path: str) -> str:
        """Return where a document is found, hash included."""
        return f"/openapi/v3/{path}?hash={self.hash(path)}"

    def hash(self, path: str) -> str:
        """Return what changes whenever the document does; empty when there is no such document."""
        content = self._by_path().get(path)
        if content is None:
            return ""
        return str(self._cached(self._hashes, path, content, lambda: fingerprint(*content)))

    def document(self, path: str) -> Make:
        """Return what makes the document of a path such as `apis/apps/v1`, from what is served now."""
        content = self._by_path()[path]
        return lambda: self._cached(self._documents, path, content, lambda: v3.document(*content))

    def swagger(self) -> Make:
        """Return what makes the document of version 2, from what is served now."""
        content = (self._registry.kinds(), self._pages())
        own = partial(self._cached, self._documents, "", content, lambda: v2.document(*content))
        return lambda: self._other_servers.swagger(own())

    def swagger_hash(self) -> str:
        """Return what changes whenever the document of version 2 does."""
        return fingerprint_of(
            [self._other_servers.generation, *(self.hash(path) for path in self._by_path())]
        )

    def _cached(self, cache: dict[str, tuple[Content, Json]], key: str, content: Content, make: Make) -> Json:
        cached = cache.get(key)
        # By identity first: comparing kinds means comparing their schemas.
        if cached is None or (cached[0] is not content and cached[0] != content):
            cached = cache[key] = (content, make())
        return cached[1]

    def _by_path(self) -> dict[str, Content]:
        # The registry counts its changes, so that a look costs one comparison.
        if self._generation != self._registry.generation:
            self._generation, self._contents = self._registry.generation, self._contents_now()
        return self._contents

    def _contents_now(self) -> dict[str, Content]:
        kinds: dict[str, list[Kind]] = {}
        for kind in self._registry.kinds():
            kinds.setdefault(path_of(kind.group, kind.version), []).append(kind)
        pages_by_document: dict[str, list[Page]] = {}
        for page in self._pages():
            pages_by_document.setdefault(page.document, []).append(page)
        return {
            path: (tuple(kinds.get(path, ())), tuple(pages_by_document.get(path, ())))
            for path in sorted({*kinds, *pages_by_document})
        }

    def _pages(self) -> tuple[Page, ...]:
        names = [name for name in self._registry.groups() if self._registry.is_builtin(name)]
        return pages({name: self._registry.versions(name) for name in names})


def fingerprint(kinds: Iterable[Kind], pages: Iterable[Page]) -> str:
    """Return a hash over everything a document is made from."""
    content = [
        [
            kind.kind,
            kind.plural,
            sorted(kind.subresources),
            sorted(kind.verbs),
            list(kind.presentation.selectable),
            kind.schema.structural.raw,
        ]
        for kind in kinds
    ]
    return fingerprint_of([content, [page.id for page in pages]])


def fingerprint_of(content: Json) -> str:
    """Return the hash of a JSON tree."""
    return hashlib.sha512(encode(content)).hexdigest().upper()
