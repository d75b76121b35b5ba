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
from .drivers.words import mentioned, replaced
from .fields import Problems, no_texts, strange_places, strangers
from .manifests import read_manifests

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
        made: list[Json] = replaced(self.valid if valid else self.invalid, {"name": name})
        return made


def problems(said: Json, folder: Path) -> Problems:
    """Return everything that is wrong with the field."""
    yield from strangers("parameters", said, _FIELDS)
    needed = ("apiGroup", "kind", "name" if "name" in said and "manifest" not in said else "manifest")
    yield from no_texts("parameters", said, needed, _EXAMPLE)
    crds = said.get("crds", [])
    if not isinstance(crds, list):
        yield UsageError(f"parameters.crds is {crds!r}, expected a list of paths", hint=_EXAMPLE)
        crds = []
    for path in [said.get("manifest"), said.get("invalid"), *crds]:
        if isinstance(path, str) and path:
            yield from _of_file(folder / path, named=path not in crds)


def _of_file(path: Path, *, named: bool) -> Problems:
    try:
        words = mentioned(list(read_manifests(path)))
    except UsageError as problem:
        yield problem
        return
    yield from strange_places(path.name, words, ["name"])
    if named and "name" not in words:
        yield UsageError(
            f"{path.name} has no place for a name, expected ${{name}} as the name of the object",
            hint='scenarios make objects of their own: write `metadata: {name: "${name}"}`',
        )


def parameters(said: Mapping[str, Json] | None, folder: Path) -> Parameters | None:
    """Return the parameters of a field that has no problems, None where the field is absent."""
    if not said:
        return None
    return Parameters(
        group=said["apiGroup"],
        kind=said["kind"],
        name=said.get("name", ""),
        valid=read_manifests(folder / said["manifest"]) if said.get("manifest") else (),
        invalid=read_manifests(folder / said["invalid"]) if said.get("invalid") else (),
        crds=[one for path in said.get("crds", []) for one in read_manifests(folder / path)],
    )
