"""Discovery and the index of OpenAPI documents with what extension servers add to them (FK-364, FK-442)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..base.json_types import Json
from .extension import Extension, ExtensionIndex
from .extension_documents import ExtensionKnowledge

OWN_PRIORITY = 16_000
"""Every group of the server itself stands above this; those of definitions have the next one."""
CUSTOM_PRIORITY = 1_000


class ExtensionMerger:
    """What others serve beside this server: documents in, documents out."""

    def __init__(self, book: ExtensionIndex, knowledge: ExtensionKnowledge) -> None:
        self._book = book
        self._knowledge = knowledge

    @property
    def generation(self) -> tuple[int, int]:
        """What changes whenever an answer of this does."""
        return self._book.generation, self._knowledge.generation

    def groups(self, own: list[Json], builtin: frozenset[str]) -> list[Json]:
        """Return the legacy list of groups with those of others, in order of priority."""
        return self._merge(own, builtin, lambda group: group["name"], _legacy)

    def items(self, own: list[Json], builtin: frozenset[str]) -> list[Json]:
        """Return the items of the aggregated document with those of others, in order of priority."""
        return self._merge(own, builtin, lambda group: group["metadata"].get("name", ""), self._item)

    def paths(self, own: Json) -> Json:
        """Return the index of OpenAPI documents with those of others."""
        # Also of those that are down: the real aggregator keeps what it has last downloaded.
        documents_by_extension = {
            extension: self._knowledge.of(extension) for extension in self._book.all().values()
        }
        groups = {
            extension.group_key: documents.group_openapi
            for extension, documents in documents_by_extension.items()
            if documents.group_openapi
        }
        versions = {
            extension.path.removeprefix("/"): documents.openapi
            for extension, documents in documents_by_extension.items()
            if documents.openapi
        }
        # The server's own documents win over those of a group's pages, and those of versions over both.
        return {**_with_url(groups), **own, **_with_url(versions)} if documents_by_extension else own

    def swagger(self, own: Json) -> Json:
        """Return the document of OpenAPI 2 with what others add; a definition of the server itself stays."""
        swaggers = [self._knowledge.of(extension).swagger for extension in self._book.all().values()]
        for swagger in filter(None, swaggers):
            paths = {**own["paths"], **swagger["paths"]}
            own = {**own, "paths": paths, "definitions": {**swagger["definitions"], **own["definitions"]}}
        return own

    def _merge(self, own: list[Json], builtin: frozenset[str], name_of: Any, make: Any) -> list[Json]:
        groups: dict[str, list[Extension]] = {}
        for extension in self._book.all().values():
            groups.setdefault(extension.group, []).append(extension)
        if not groups:
            return own
        own_by_name = {name_of(group): group for group in own}
        merged_groups = {
            name: make(name, sorted(extensions, key=_rank), own_by_name.get(name))
            for name, extensions in groups.items()
        }

        def sort_key(pair: tuple[int, Json]) -> tuple[int, str, int]:
            # The index keeps the server's own groups in their order: sorting is by priority only among the
            # others.
            index, group = pair
            name = name_of(group)
            if not name or name in builtin:
                return -OWN_PRIORITY, "", index
            priority = max(
                (extension.group_priority for extension in groups.get(name, ())), default=CUSTOM_PRIORITY
            )
            return -priority, name, index

        all_groups = [*own, *(group for name, group in merged_groups.items() if name not in own_by_name)]
        ordered = sorted(enumerate(all_groups), key=sort_key)
        return [merged_groups.get(name_of(group), group) for _, group in ordered]

    def _item(self, name: str, extensions: Iterable[Extension], own: Json | None) -> Json:
        versions = [self._version(extension) for extension in extensions]
        extension_versions = {version["version"] for version in versions}
        own_versions = [
            version
            for version in (own or {}).get("versions", ())
            if version["version"] not in extension_versions
        ]
        return {"metadata": {"name": name}, "versions": [*versions, *own_versions]}

    def _version(self, extension: Extension) -> Json:
        resources = list(self._knowledge.of(extension).resources)
        # One document tells of all versions, so one that was answered is enough.
        same_backend = (other for other in self._book.all().values() if other.backend == extension.backend)
        freshness = (
            "Current" if any(self._knowledge.of(extension).fresh for extension in same_backend) else "Stale"
        )
        return {
            "version": extension.version,
            **({"resources": resources} if resources else {}),
            "freshness": freshness,
        }


def _with_url(urls: dict[str, str]) -> Json:
    return {path: {"serverRelativeURL": url} for path, url in urls.items()}


def _rank(extension: Extension) -> tuple[Any, ...]:
    return extension.rank


def _legacy(name: str, extensions: Iterable[Extension], own: Json | None) -> Json:
    listed = [
        {"groupVersion": f"{name}/{extension.version}", "version": extension.version}
        for extension in extensions
    ]
    listed_versions = {version["version"] for version in listed}
    versions = [
        *listed,
        *(
            version
            for version in (own or {}).get("versions", ())
            if version["version"] not in listed_versions
        ),
    ]
    return {"name": name, "versions": versions, "preferredVersion": versions[0]}
