"""What all versions of a definition have in common:
the real server moves it to the top level and reports it there.
"""

from __future__ import annotations

from msgspec import Struct

from ...base.json_types import Json
from .goschema import go_schema


class Shared(Struct, frozen=True):
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


def _equal(spec: Json, member: str) -> bool:
    versions = spec.get("versions") or []
    return all((version.get(member) or None) == (versions[0].get(member) or None) for version in versions)


def go_versions(spec: Json, shared: Shared) -> Json:
    """Return the versions as the real server prints them inside a message,
    with the names of its own fields.
    """
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
        "Schema": None if shared.schema else _go_validation(version.get("schema")),
        "Subresources": None if shared.subresources else _go_subresources(version.get("subresources")),
        "AdditionalPrinterColumns": None
        if shared.columns
        else [_go_column(column) for column in version.get("additionalPrinterColumns") or ()] or None,
        "SelectableFields": None
        if shared.selectable
        else [{"JSONPath": field.get("jsonPath") or ""} for field in version.get("selectableFields") or ()]
        or None,
    }


def _go_validation(schema: Json) -> Json:
    return None if schema is None else {"OpenAPIV3Schema": go_schema(schema.get("openAPIV3Schema"))}


def _go_subresources(subresources: Json) -> Json:
    if subresources is None:
        return None
    scale = subresources.get("scale")
    paths = {
        "SpecReplicasPath": (scale or {}).get("specReplicasPath") or "",
        "StatusReplicasPath": (scale or {}).get("statusReplicasPath") or "",
        "LabelSelectorPath": (scale or {}).get("labelSelectorPath"),
    }
    return {"Status": subresources.get("status"), "Scale": None if scale is None else paths}


def _go_column(column: Json) -> Json:
    return {
        "Name": column.get("name") or "",
        "Type": column.get("type") or "",
        "Format": column.get("format") or "",
        "Description": column.get("description") or "",
        "Priority": column.get("priority") or 0,
        "JSONPath": column.get("jsonPath") or "",
    }
