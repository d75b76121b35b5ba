"""Keeps the served kinds in step with the stored definitions (FK-255…258, FK-286, FK-455).

It follows the store: a definition that is created or changed is named, established and served before the
request that did it is answered; a deleted one first loses its objects, then its endpoints. All of its writes
are writes to the store.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from ..api.converter import Convert
from ..api.kind import Kind
from ..api.registry import Registry
from ..base.clock import Clock
from ..base.json_types import Json
from ..meta.metadata import timestamp
from ..store import Event, Store, Stored
from .kinds import kinds_of
from .lifecycle import FINALIZER, is_true, with_condition
from .naming import reconcile

CRDS = ("apiextensions.k8s.io", "customresourcedefinitions")

NO_CONVERTERS: Mapping[str, Convert] = MappingProxyType({})


class CrdFollower:
    """Names, establishes, serves and removes definitions."""

    def __init__(
        self,
        store: Store,
        registry: Registry,
        clock: Clock,
        converters: Mapping[str, Convert] = NO_CONVERTERS,
    ) -> None:
        self._converters = converters
        self._store = store
        self._registry = registry
        self._clock = clock
        self._timestamp = timestamp
        self._followed = {CRDS}
        """What it has to see events of: definitions, and the objects of those that are being removed."""

    def start(self) -> Callable[[], None]:
        """Follow the store from now on; returns the way to stop that."""
        for crd in self._store.list(CRDS):
            if crd.object["metadata"].get("deletionTimestamp"):
                self._followed.add(self._resource(crd))
        return self._store.subscribe(self.follow, self._follow_all, self._followed)

    def sync(self) -> None:
        """Serve exactly what the stored definitions say, as after a restore."""
        stored = {self._resource(crd): crd for crd in self._store.list(CRDS)}
        for group, plural in {(kind.group, kind.plural) for kind in self._registry.kinds() if kind.custom}:
            if (group, plural) not in stored:
                self._registry.unregister(group, plural)
        for crd in stored.values():
            self._serve(crd.object)

    def _follow_all(self) -> None:
        """React to every change since the last call."""
        self.sync()
        for crd in self._store.list(CRDS):
            self._reconcile(crd)

    def follow(self, event: Event) -> None:
        """React to one event: a definition changed,
        or an object of a definition that is being removed is gone.
        """
        if event.after.resource == CRDS:
            if event.type == "DELETED":
                resource = self._resource(event.after)
                self._followed.discard(resource)
                self._registry.unregister(*resource)
                self._rename_others(event.after.object)
            else:
                self._reconcile(event.after)
        elif event.type == "DELETED":
            self._finish(event.after.resource)

    def _reconcile(self, stored: Stored) -> None:
        current = self._store.get(CRDS, stored.name)
        if current is None or current.revision != stored.revision:
            return
        if current.object["metadata"].get("deletionTimestamp"):
            self._serve(current.object)
            self._empty(current)
            return
        other_crds = [crd.object for crd in self._store.list(CRDS) if crd.name != current.name]
        desired = reconcile(current.object, other_crds, self._now())
        if desired != current.object:
            # Its event brings us here again, to serve it.
            self._store.commit(CRDS, current.name, desired, expected=current)
        else:
            self._serve(desired)

    def _serve(self, crd: Json) -> None:
        group, plural = crd["spec"]["group"], crd["spec"]["names"]["plural"]
        served = [kind for kind in self._registry.kinds() if (kind.group, kind.plural) == (group, plural)]
        kinds = (
            kinds_of(crd, self._since(crd, served), self._converters.get(crd["metadata"]["name"]))
            if is_true(crd, "Established")
            else ()
        )
        if {kind.version for kind in served} - {kind.version for kind in kinds}:
            self._registry.unregister(group, plural)
        if kinds:
            self._registry.register(kinds)

    def _since(self, crd: Json, served: Sequence[Kind]) -> int:
        """Return the revision at which the definition got its present generation."""
        generation = crd["metadata"].get("generation", 0)
        converter = next((kind.schema.converter for kind in served if kind.schema.converter), None)
        return converter.since if converter and converter.generation == generation else self._store.revision

    def _rename_others(self, gone: Json) -> None:
        """Give the names that became free to those who wait for them."""
        for crd in self._store.list(CRDS):
            if crd.object["spec"]["group"] == gone["spec"]["group"]:
                self._reconcile(crd)

    def _empty(self, crd: Stored) -> None:
        """Remove the objects of a definition that is being removed, then the definition."""
        if FINALIZER not in (crd.object["metadata"].get("finalizers") or ()):
            return
        resource = self._resource(crd)
        self._followed.add(resource)
        remaining = [
            stored for stored in self._store.list(resource) if stored.object["metadata"].get("finalizers")
        ]
        for stored in self._store.list(resource):
            if stored not in remaining:
                self._store.remove(stored)
            elif not stored.object["metadata"].get("deletionTimestamp"):
                self._mark(stored)
        if remaining:
            self._say(crd, "InstanceDeletionInProgress", "CustomResource deletion is in progress")
        else:
            self._finish(resource)

    def _mark(self, stored: Stored) -> None:
        metadata = {
            **stored.object["metadata"],
            "deletionTimestamp": self._now(),
            "deletionGracePeriodSeconds": 0,
            "generation": stored.object["metadata"].get("generation", 0) + 1,
        }
        self._store.commit(
            stored.resource, stored.name, {**stored.object, "metadata": metadata}, expected=stored
        )

    def _say(self, crd: Stored, reason: str, message: str) -> None:
        current = self._store.get(CRDS, crd.name)
        if current is None:
            return
        status = with_condition(
            current.object.get("status"), "Terminating", "True", reason, message, self._now()
        )
        if status != current.object.get("status"):
            self._store.commit(CRDS, current.name, {**current.object, "status": status}, expected=current)

    def _finish(self, resource: tuple[str, str]) -> None:
        """Take the finalizer off a definition being removed whose last object is gone."""
        crd = self._store.get(CRDS, ("", f"{resource[1]}.{resource[0]}"))
        if crd is None or not crd.object["metadata"].get("deletionTimestamp") or self._store.list(resource):
            return
        metadata = crd.object["metadata"]
        finalizers = [finalizer for finalizer in metadata.get("finalizers") or () if finalizer != FINALIZER]
        if finalizers == (metadata.get("finalizers") or []):
            return
        final = {**crd.object, "metadata": {**metadata, "finalizers": finalizers}}
        if finalizers:
            self._store.commit(CRDS, crd.name, final, expected=crd)
        else:
            self._store.remove(crd, final)

    def _resource(self, crd: Stored) -> tuple[str, str]:
        spec = crd.object["spec"]
        return spec["group"], spec["names"]["plural"]

    def _now(self) -> str:
        return self._timestamp(self._clock.now())
