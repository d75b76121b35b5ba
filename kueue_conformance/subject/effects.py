"""The field `effects` of a subject file: the objects that a
subject makes for a Workload, its work outside (harness §10.2).

effects: {apiVersion: v1, kind: ConfigMap, by: owner}
effects: {apiVersion: example.com/v1, kind: Lease, by: label, label: example.com/workload}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..base.errors import UsageError, unknown
from ..base.json_types import Json
from .fields import Problems, no_texts, strangers

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

    def among(self, found: Sequence[Json], name: str, uids: frozenset[str]) -> list[Json]:
        """Return those of a Workload that are there to stay: by its name, or by one of the uids it had."""
        return [
            one
            for one in found
            if "deletionTimestamp" not in one["metadata"] and self._is_of(one["metadata"], name, uids)
        ]

    def _is_of(self, metadata: Json, name: str, uids: frozenset[str]) -> bool:
        if self.label:
            return bool(metadata.get("labels", {}).get(self.label) == name)
        return any(owner["uid"] in uids for owner in metadata.get("ownerReferences", []))


def problems(said: Json, folder: Path) -> Problems:
    """Return everything that is wrong with the field."""
    del folder
    yield from strangers("effects", said, _FIELDS)
    yield from no_texts("effects", said, ("apiVersion", "kind"), _EXAMPLE)
    by = said.get("by", "owner")
    if by not in _WAYS:
        yield unknown("value of effects.by", str(by), _WAYS)
    if by == "label" and not isinstance(said.get("label"), str):
        yield UsageError(
            f"effects.label is {said.get('label')!r}, expected the label that has the Workload's name as its value",
            hint="or write `by: owner`",
        )


def effects(said: Mapping[str, Json] | None) -> Effects | None:
    """Return the effects of a field that has no problems, None where the field is absent."""
    if not said:
        return None
    label = said["label"] if said.get("by") == "label" else ""
    return Effects(api_version=said["apiVersion"], kind=said["kind"], label=label)
