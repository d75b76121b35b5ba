"""Writes the EndpointSlices of an owner: creates,
changes and deletes until they are as they should be (FK-462).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from ...api.kind import Kind
from ...api.service_address import SERVICE_OF_SLICE, SLICES
from ...api.steps import Steps
from ...base.json_types import Json
from ...store import Stored
from ..actor import Actor
from ..owners import reference_to, references
from .packing import EndpointSlice

MANAGED_BY = "endpointslice.kubernetes.io/managed-by"
TRIGGER_TIME = "endpoints.kubernetes.io/last-change-trigger-time"


class SliceMetadata(Struct, frozen=True):
    """What all slices of one owner say of themselves.

    trigger_time: when what changed them happened, empty when nothing says so.
    """

    owner: Json
    labels: Mapping[str, str]
    annotations: Mapping[str, str]
    trigger_time: str = ""


class SliceWriter:
    """Writes slices in the name of one controller."""

    def __init__(self, actor: Actor, manager: str) -> None:
        self._actor = actor
        self._manager = manager

    def of(self, namespace: str, name: str) -> list[Stored]:
        """Return the slices of a Service that this controller manages."""
        slices = self._actor.api.store.list(SLICES, namespace=namespace)
        return [stored for stored in slices if self.service_of(stored) == name]

    def service_of(self, stored: Stored) -> str:
        """Return the name of the Service of a slice, empty when another controller manages it."""
        labels = stored.object["metadata"].get("labels") or {}
        return str(labels.get(SERVICE_OF_SLICE, "")) if labels.get(MANAGED_BY) == self._manager else ""

    def write(
        self, present: Iterable[Stored], desired: Sequence[EndpointSlice], metadata: SliceMetadata
    ) -> Steps[None]:
        """Bring the slices that are there to those that should be. Raises StatusError."""
        row = self._actor.kind("discovery.k8s.io/v1", "EndpointSlice")
        if row is None:
            return
        names = {new.name for new in desired}
        spare = [stored for stored in present if stored.name[1] not in names]
        by_name = {stored.name[1]: stored for stored in present}
        for new in desired:
            old = by_name.get(new.name) or _reusable(spare, new, metadata.owner)
            if old is None:
                yield from self._actor.create(row, self._manifest(new, metadata))
            else:
                yield from self._update(row, old, new, metadata)
        for stored in spare:
            yield from self._actor.delete(row, stored)

    def _manifest(self, new: EndpointSlice, metadata: SliceMetadata) -> Json:
        owner = metadata.owner["metadata"]
        return {
            "metadata": {
                "generateName": f"{owner['name']}-",
                "namespace": owner["namespace"],
                "labels": self._labels(metadata),
                "annotations": _annotations(metadata),
                "ownerReferences": [reference_to(metadata.owner)],
            },
            "addressType": new.address_type,
            "endpoints": new.endpoints,
            "ports": new.ports,
        }

    def _update(self, row: Kind, old: Stored, new: EndpointSlice, metadata: SliceMetadata) -> Steps[None]:
        content, labels = {"endpoints": new.endpoints, "ports": new.ports}, self._labels(metadata)
        same = all((old.object.get(name) or []) == value for name, value in content.items())
        own = {name: text for name, text in _annotations_of(old).items() if name != TRIGGER_TIME}
        if same and old.object["metadata"].get("labels") == labels and own == metadata.annotations:
            return
        changed = {**old.object["metadata"], "labels": labels, "annotations": _annotations(metadata)}
        yield from self._actor.update(row, {**old.object, "metadata": changed, **content})

    def _labels(self, metadata: SliceMetadata) -> Json:
        return {
            **metadata.labels,
            SERVICE_OF_SLICE: metadata.owner["metadata"]["name"],
            MANAGED_BY: self._manager,
        }


def slice_of(stored: Stored) -> EndpointSlice:
    """Return a slice that is there."""
    obj = stored.object
    return EndpointSlice(
        stored.name[1], obj["addressType"], obj.get("ports") or [], obj.get("endpoints") or []
    )


def _reusable(spare: list[Stored], new: EndpointSlice, owner: Json) -> Stored | None:
    """Take a slice that would be deleted, to change it rather than to make a new one."""
    for stored in spare:
        owners = [reference["uid"] for reference in references(stored.object)]
        if stored.object["addressType"] == new.address_type and owner["metadata"]["uid"] in owners:
            spare.remove(stored)
            return stored
    return None


def _annotations_of(stored: Stored) -> dict[str, str]:
    return stored.object["metadata"].get("annotations") or {}


def _annotations(metadata: SliceMetadata) -> Json:
    trigger = {TRIGGER_TIME: metadata.trigger_time} if metadata.trigger_time else {}
    return {**metadata.annotations, **trigger}
