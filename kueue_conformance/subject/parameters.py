"""The field `parameters` of a subject file: what its checks refer to,
and how an object of it is made (harness §10.2).

    parameters:
      apiGroup: example.com
      kind: Budget
      manifest: budget.yaml           # of an object that is valid; ${name} is its name
      invalid: budget-invalid.yaml    # of one that is not, where there is such a thing
      crds: [budgets-crd.yaml]

A file with `name` in place of `manifest` says that there is such an object;
scenarios that need others are unsupported.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..base.errors import UsageError
from ..base.json_types import Json
from .fields import Problems, no_texts, strange_places, strangers, wrong
from .manifests import read_manifests
from .placeholders import placeholders_in, replace_words

_FIELDS = ("apiGroup", "kind", "name", "manifest", "invalid", "crds")
_EXAMPLE = "for example `parameters: {apiGroup: example.com, kind: Budget, manifest: budget.yaml}`"


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """How a check's parameters are made: manifests with a
    place for the name, and the definitions of their kinds.
    """

    group: str
    kind: str
    name: str = ""
    valid: Sequence[Json] = ()
    invalid: Sequence[Json] = ()
    crds: Sequence[Json] = ()

    def reference(self, name: str) -> Json:
        """Return the reference of an AdmissionCheck to an object of this name."""
        return {"apiGroup": self.group, "kind": self.kind, "name": name}

    def objects(self, name: str, *, valid: bool = True) -> list[Json]:
        """Return the objects to make."""
        objects: list[Json] = replace_words(self.valid if valid else self.invalid, {"name": name})
        return objects


def problems(field: Json, folder: Path) -> Problems:
    """Return everything that is wrong with the field."""
    yield from strangers("parameters", field, _FIELDS)
    needed = ("apiGroup", "kind", "name" if "name" in field and "manifest" not in field else "manifest")
    yield from no_texts("parameters", field, needed, _EXAMPLE)
    crds = field.get("crds", [])
    if not isinstance(crds, list):
        yield wrong("parameters.crds", crds, "a list of paths", _EXAMPLE)
        crds = []
    # The definition of a kind has a fixed name; only the objects of the kind need a place for one.
    for path in filter(_is_path, crds):
        yield from _of_definitions(folder / path)
    for name in ("manifest", "invalid"):
        if _is_path(field.get(name)):
            yield from _of_manifest(name, folder / field[name], field)


def _is_path(value: Json) -> bool:
    return isinstance(value, str) and bool(value)


def _of_definitions(path: Path) -> Problems:
    try:
        yield from strange_places(path.name, placeholders_in(list(read_manifests(path))), ["name"])
    except UsageError as problem:
        yield problem


def _of_manifest(name: str, path: Path, field: Mapping[str, Json]) -> Problems:
    """Return the problems of the manifest that one of the fields `manifest` and `invalid` names."""
    try:
        manifests = read_manifests(path)
    except UsageError as problem:
        yield problem
        return
    kinds = [(manifest["apiVersion"].rpartition("/")[0], manifest["kind"]) for manifest in manifests]
    if (field.get("apiGroup"), field.get("kind")) not in kinds:
        there = ", ".join(f"{kind} of {group or 'the core group'}" for group, kind in kinds)
        yield UsageError(
            f"parameters.kind is {field.get('kind')!r} of apiGroup {field.get('apiGroup')!r}, and {path.name} has {there}",
            hint="name the kind and the group of the object that the checks refer to",
            path="parameters.kind",
        )
    words = placeholders_in(list(manifests))
    yield from strange_places(path.name, words, ["name"])
    if "name" not in words:
        yield UsageError(
            f"{path.name} has no place for a name, expected ${{name}} as the name of the object",
            hint='scenarios make objects of their own: write `metadata: {name: "${name}"}`',
            path=f"parameters.{name}",
        )


def parameters(field: Mapping[str, Json] | None, folder: Path) -> Parameters | None:
    """Return the parameters of a field that has no problems, None where the field is absent."""
    if not field:
        return None
    return Parameters(
        group=field["apiGroup"],
        kind=field["kind"],
        name=field.get("name", ""),
        # Without a manifest there is one object by name, which the user has made.
        valid=read_manifests(folder / field["manifest"]) if field.get("manifest") else (),
        invalid=read_manifests(folder / field["invalid"]) if field.get("invalid") else (),
        crds=[manifest for path in field.get("crds", []) for manifest in read_manifests(folder / path)],
    )
