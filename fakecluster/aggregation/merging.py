"""Discovery and the index of OpenAPI documents with what extension servers add to them (FK-364, FK-442)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..base.json_types import Json
from .extension import Book, Extension
from .learned import Knowledge

OWN_PRIORITY = 16_000
"""Every group of the server itself stands above this; those of definitions have the next one."""
CUSTOM_PRIORITY = 1_000


class Others:
    """What others serve beside this server: documents in, documents out."""

    def __init__(self, book: Book, knowledge: Knowledge) -> None:
        self._book = book
        self._knowledge = knowledge

    @property
    def generation(self) -> tuple[int, int]:
        """What changes whenever an answer of this does."""
        return self._book.generation, self._knowledge.generation

    def groups(self, own: list[Json], builtin: frozenset[str]) -> list[Json]:
        """Return the legacy list of groups with those of others, in order of priority."""
        return self._merged(own, builtin, lambda one: one["name"], _legacy)

    def items(self, own: list[Json], builtin: frozenset[str]) -> list[Json]:
        """Return the items of the aggregated document with those of others, in order of priority."""
        return self._merged(own, builtin, lambda one: one["metadata"].get("name", ""), self._item)

    def paths(self, own: Json) -> Json:
        """Return the index of OpenAPI documents with those of others."""
        told = {one: self._knowledge.of(one) for one in self._book.all().values() if one.available}
        groups = {one.group_key: said.group_openapi for one, said in told.items() if said.group_openapi}
        more = {one.path.removeprefix("/"): said.openapi for one, said in told.items() if said.openapi}
        return {**_addressed(groups), **own, **_addressed(more)} if told else own

    def swagger(self, own: Json) -> Json:
        """Return the document of OpenAPI 2 with what others add; a definition of the server itself stays."""
        told = [self._knowledge.of(one).swagger for one in self._book.all().values() if one.available]
        for one in filter(None, told):
            paths = {**own["paths"], **one["paths"]}
            own = {**own, "paths": paths, "definitions": {**one["definitions"], **own["definitions"]}}
        return own

    def _merged(self, own: list[Json], builtin: frozenset[str], name_of: Any, make: Any) -> list[Json]:
        groups: dict[str, list[Extension]] = {}
        for one in self._book.all().values():
            groups.setdefault(one.group, []).append(one)
        if not groups:
            return own
        before = {name_of(one): one for one in own}
        made = {
            name: make(name, sorted(found, key=_rank), before.get(name)) for name, found in groups.items()
        }

        def place(pair: tuple[int, Json]) -> tuple[int, str, int]:
            index, one = pair
            name = name_of(one)
            if not name or name in builtin:
                return -OWN_PRIORITY, "", index
            priority = max((each.group_priority for each in groups.get(name, ())), default=CUSTOM_PRIORITY)
            return -priority, name, index

        every = [*own, *(one for name, one in made.items() if name not in before)]
        ordered = sorted(enumerate(every), key=place)
        return [made.get(name_of(one), one) for _, one in ordered]

    def _item(self, name: str, extensions: Iterable[Extension], own: Json | None) -> Json:
        versions = [self._version(one) for one in extensions]
        mine = {one["version"] for one in versions}
        kept = [one for one in (own or {}).get("versions", ()) if one["version"] not in mine]
        return {"metadata": {"name": name}, "versions": [*versions, *kept]}

    def _version(self, extension: Extension) -> Json:
        resources = list(self._knowledge.of(extension).resources)
        # One document tells of all versions, so one that was answered is enough.
        sharing = (one for one in self._book.all().values() if one.backend == extension.backend)
        freshness = "Current" if any(self._knowledge.of(one).fresh for one in sharing) else "Stale"
        return {
            "version": extension.version,
            **({"resources": resources} if resources else {}),
            "freshness": freshness,
        }


def _addressed(urls: dict[str, str]) -> Json:
    return {path: {"serverRelativeURL": url} for path, url in urls.items()}


def _rank(extension: Extension) -> tuple[Any, ...]:
    return extension.rank


def _legacy(name: str, extensions: Iterable[Extension], own: Json | None) -> Json:
    listed = [{"groupVersion": f"{name}/{one.version}", "version": one.version} for one in extensions]
    known = {one["version"] for one in listed}
    versions = [*listed, *(one for one in (own or {}).get("versions", ()) if one["version"] not in known)]
    return {"name": name, "versions": versions, "preferredVersion": versions[0]}
