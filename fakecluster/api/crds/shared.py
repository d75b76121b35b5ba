"""What all versions of a definition have in common: the real server moves it to the top level and reports it there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Json = Any


@dataclass(frozen=True, slots=True)
class Shared:
    """Which parts are equal in all versions."""

    schema: bool
    subresources: bool
    columns: bool
    selectable: bool

    @classmethod
    def of(cls, spec: Json) -> Shared:
        """Compare the versions of a definition."""
        return cls(
            schema=_equal(spec, "schema"),
            subresources=_equal(spec, "subresources"),
            columns=_equal(spec, "additionalPrinterColumns"),
            selectable=_equal(spec, "selectableFields"),
        )


def _equal(spec: Json, part: str) -> bool:
    versions = spec.get("versions") or []
    return all((version.get(part) or None) == (versions[0].get(part) or None) for version in versions)


def go_versions(spec: Json, shared: Shared) -> Json:
    """Return the versions as the real server prints them inside a message, with the names of its own fields."""
    if spec.get("versions") is None:
        return None
    return [_go_version(version, shared) for version in spec["versions"]]


def _go_version(version: Json, shared: Shared) -> Json:
    return {
        "Name": version.get("name") or "",
        "Served": bool(version.get("served")),
        "Storage": bool(version.get("storage")),
        "Deprecated": bool(version.get("deprecated")),
        "DeprecationWarning": version.get("deprecationWarning"),
        "Schema": None if shared.schema else version.get("schema"),
        "Subresources": None if shared.subresources else version.get("subresources"),
        "AdditionalPrinterColumns": None if shared.columns else version.get("additionalPrinterColumns"),
        "SelectableFields": None if shared.selectable else version.get("selectableFields"),
    }
