"""The field `effects` of a subject file: the objects that a
subject makes for a Workload, its work outside (harness §10.2).

effects: {apiVersion: v1, kind: ConfigMap, by: owner}
effects: {apiVersion: example.com/v1, kind: Lease, by: label, label: example.com/workload}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..base.errors import unknown
from ..base.json_types import Json
from .fields import Problems, no_texts, strangers, wrong

_FIELDS = ("apiVersion", "kind", "by", "label")
_WAYS = ("owner", "label")
_EXAMPLE = "for example `effects: {apiVersion: v1, kind: ConfigMap, by: owner}`"


@dataclass(frozen=True, slots=True, kw_only=True)
class Effects:
    """Of which kind they are, and how they are known: by an owner reference to the Workload, or by a label
    with its name.
    """

    api_version: str
    kind: str
    label: str = ""

    @property
    def manifest(self) -> Json:
        """The least that tells where such objects live."""
        return {"apiVersion": self.api_version, "kind": self.kind}

    def among(self, objects: Sequence[Json], name: str, uids: frozenset[str]) -> list[Json]:
        """Return those of a Workload that are there to stay: by its name, or by one of the uids it had."""
        return [
            object_
            for object_ in objects
            # What is being deleted counts as gone: a finalizer of another client may hold it for
            # long.
            if "deletionTimestamp" not in object_["metadata"] and self._is_of(object_["metadata"], name, uids)
        ]

    def _is_of(self, metadata: Json, name: str, uids: frozenset[str]) -> bool:
        if self.label:
            return bool(metadata.get("labels", {}).get(self.label) == name)
        # By uid and not by name: a Workload that was made anew under the same name does not own
        # what its predecessor did.
        return any(owner["uid"] in uids for owner in metadata.get("ownerReferences", []))


def problems(field: Json, folder: Path) -> Problems:
    """Return everything that is wrong with the field."""
    del folder
    yield from strangers("effects", field, _FIELDS)
    yield from no_texts("effects", field, ("apiVersion", "kind"), _EXAMPLE)
    by = field.get("by", "owner")
    if by not in _WAYS:
        yield unknown("value of effects.by", str(by), _WAYS, path="effects.by")
    if by == "label" and not isinstance(field.get("label"), str):
        yield wrong(
            "effects.label",
            field.get("label"),
            "the label that has the Workload's name as its value",
            "or write `by: owner`",
        )


def effects(field: Mapping[str, Json] | None) -> Effects | None:
    """Return the effects of a field that has no problems, None where the field is absent."""
    if not field:
        return None
    label = field["label"] if field.get("by") == "label" else ""
    return Effects(api_version=field["apiVersion"], kind=field["kind"], label=label)
