"""The kinds that a CustomResourceDefinition serves (FK-250, FK-277, FK-280, FK-281, FK-420)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Self

from msgspec import Struct

from ..api.converter import ConversionFailed, Convert, Converter
from ..api.kind import Kind, ObjectSchema, Presentation, ScalePaths, Strategy
from ..base.json_types import Json
from ..schema.compiled import CompiledSchema, compile_schema
from ..schema.defaults import DefaultsTooLarge
from ..schema.structural import Structural
from . import scale_values
from .columns import columns_of
from .conversion import converter_of
from .embedded import metadata_errors, pruner
from .jsonpath.path import compile_path
from .jsonpath.printing import go_text
from .lifecycle import is_true

TERMINATING = "create not allowed while custom resource definition is terminating"
_VERSION = re.compile(r"^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?\Z")


def kinds_of(crd: Json, since: int = 0, local: Convert | None = None) -> tuple[Kind, ...]:
    """Return one kind for each served version, the most preferred first as in the definition.

    `since` is the revision at which the definition became what it is,
    `local` a function that converts its objects.
    """
    converter, versions = converter_of(crd, since, local), DefinitionVersions.of(crd)
    return tuple(
        _kind(crd, version, converter, versions)
        for version in crd["spec"]["versions"]
        if version.get("served")
    )


def schema_of(version: Json) -> CompiledSchema:
    """Return the compiled schema of one version of a definition."""
    return compile_schema((version.get("schema") or {}).get("openAPIV3Schema") or {})


class DefinitionVersions(Struct, frozen=True):
    """What the kinds of a definition share: the schema of each version by its apiVersion, and the version
    that is stored.
    """

    schemas: Mapping[str, CompiledSchema]
    structural: Mapping[str, Structural]
    storage: str
    read: Callable[[Json], Json]
    fit: Callable[[Json], Json]

    @classmethod
    def of(cls, crd: Json) -> Self:
        """Return what the kinds of a definition share."""
        group, storage = crd["spec"]["group"], storage_version(crd)
        schemas = {f"{group}/{version['name']}": schema_of(version) for version in crd["spec"]["versions"]}
        structural = {name: compiled.structural for name, compiled in schemas.items()}
        return cls(schemas, structural, storage, _read(schemas), _fit(schemas[f"{group}/{storage}"]))


def _kind(crd: Json, version: Json, converter: Converter | None, versions: DefinitionVersions) -> Kind:
    spec, compiled = crd["spec"], schema_of(version)
    names = (crd.get("status") or {}).get("acceptedNames") or spec["names"]
    scale = _scale(version)
    judge_object, status = scale_values.judges(scale)
    return Kind(
        group=spec["group"],
        version=version["name"],
        kind=names["kind"],
        plural=names["plural"],
        singular=names.get("singular") or names["kind"].lower(),
        list_kind=names.get("listKind") or names["kind"] + "List",
        short_names=tuple(names.get("shortNames") or ()),
        categories=tuple(names.get("categories") or ()),
        namespaced=spec["scope"] == "Namespaced",
        subresources=frozenset(version.get("subresources") or ()),
        custom=True,
        schema=ObjectSchema(
            structural=compiled.structural,
            versions=versions.structural,
            storage_version=versions.storage,
            prune=pruner(compiled),
            default=compiled.default,
            default_beside_nulls=compiled.default_beside_nulls,
            from_stored=versions.read,
            to_stored=versions.fit,
            fit=_fit(compiled),
            converter=converter,
            scale=scale,
            fractions=_fractions(compiled.structural.raw, scale),
        ),
        strategy=Strategy(
            generation="all",
            prepare=_without_status(compiled) if "status" in (version.get("subresources") or ()) else None,
            validate_new=partial(compiled.validate, metadata=metadata_errors, beside=judge_object),
            validate_update=partial(compiled.validate, metadata=metadata_errors, beside=judge_object),
            status_resets=(("metadata",), ("spec",)),
            validate_status=partial(compiled.validate_status, metadata=metadata_errors, beside=status),
            warnings=compiled.forgiven,
            unconditional_update=False,
            create_forbidden=TERMINATING if is_true(crd, "Terminating") else "",
        ),
        presentation=Presentation(
            selectable=_selectable(version),
            columns=columns_of(version),
            deprecation=deprecation_of(crd, version),
        ),
    )


def _read(schemas: Mapping[str, CompiledSchema]) -> Callable[[Json], Json]:
    """Return how a stored object looks: pruned and defaulted by the version it was stored in (FK-262)."""

    def read(obj: Json) -> Json:
        schema = schemas.get(obj["apiVersion"])
        if schema is None:
            raise ConversionFailed(
                f"request to convert CR from an invalid group/version: {obj['apiVersion']}"
            )
        pruned = schema.prune(obj)[0]
        try:
            return schema.default(pruned)
        except DefaultsTooLarge:  # by a default that came after the object, which must stay readable
            return pruned

    return read


def _fit(schema: CompiledSchema) -> Callable[[Json], Json]:
    return lambda obj: schema.prune(obj)[0]


def _without_status(compiled: CompiledSchema) -> Callable[[Json], Json]:
    """Return what creation does to an object whose status is a matter of its own: only defaults of it stay.

    Nothing else is defaulted once more: a null that a conversion left is judged as it is.
    """

    def prepare(obj: Json) -> Json:
        defaults = compiled.default({})
        rest = {key: value for key, value in obj.items() if key != "status"}
        return {**rest, "status": defaults["status"]} if "status" in defaults else rest

    return prepare


def _scale(version: Json) -> ScalePaths | None:
    scale = (version.get("subresources") or {}).get("scale")
    if not scale:
        return None
    return ScalePaths(
        spec=scale["specReplicasPath"],
        status=scale["statusReplicasPath"],
        selector=scale.get("labelSelectorPath") or "",
    )


def _fractions(schema: Json, scale: ScalePaths | None) -> frozenset[tuple[str, ...]]:
    paths = (scale.spec, scale.status) if scale else ()
    return frozenset(
        [*(tuple(path.removeprefix(".").split(".")) for path in paths), *_paths_with_rules(schema, ())]
    )


def _paths_with_rules(schema: Json, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the paths of whole numbers that a rule of their own looks at."""
    rules = schema.get("x-kubernetes-validations") or ()
    if schema.get("type") == "integer" and any("oldSelf" not in rule["rule"] for rule in rules):
        yield path
    for name, child in (schema.get("properties") or {}).items():
        yield from _paths_with_rules(child, (*path, name))


def storage_version(crd: Json) -> str:
    """Return the version in which objects are stored."""
    versions = crd["spec"].get("versions") or ()
    return next((str(version["name"]) for version in versions if version.get("storage")), "")


def _selectable(version: Json) -> Mapping[str, Callable[[Json], str]]:
    paths = [str(field["jsonPath"]) for field in version.get("selectableFields") or ()]
    return {path.removeprefix("."): _field(path) for path in paths}


def _field(path: str) -> Callable[[Json], str]:
    compiled = compile_path(path)

    def value(obj: Json) -> str:
        values = compiled.values(obj)
        return "" if values in ([], [None]) else go_text(values[0])

    return value


def deprecation_of(crd: Json, version: Json) -> str:
    """Return the warning of a deprecated version, which names the newest one that is not (FK-237)."""
    if not version.get("deprecated"):
        return ""
    if version.get("deprecationWarning"):
        return str(version["deprecationWarning"])
    group, kind = crd["spec"]["group"], crd["spec"]["names"]["kind"]
    text = f"{group}/{version['name']} {kind} is deprecated"
    newer = newest_alternative(crd, str(version["name"]))
    return f"{text}; use {group}/{newer} {kind}" if newer else text


def newest_alternative(crd: Json, than: str) -> str:
    """Return the newest served version that is not deprecated
    and newer than another; empty when there is none.
    """
    names = [
        str(version["name"])
        for version in crd["spec"]["versions"]
        if version.get("served") and not version.get("deprecated")
    ]
    newer = [name for name in names if priority(name) > priority(than)]
    return max(newer, key=priority, default="")


def priority(version: str) -> tuple[int, int, int, str]:
    """Order Kubernetes versions: v2 > v1 > v1beta2 > v1beta1
    > v1alpha1 > anything else (in reverse of its spelling).
    """
    match = _VERSION.match(version)
    if match is None:
        return (0, 0, 0, "".join(chr(0x10FFFF - ord(c)) for c in version))
    return ({"": 3, "beta": 2, "alpha": 1}[match[2] or ""], int(match[1]), int(match[3] or 0), "")
