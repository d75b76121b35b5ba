"""Brings back what the server needs of FlowSchemas and
PriorityLevelConfigurations, and what it suggests (FK-520).

The real server looks every minute. Here that happens a minute after one of them was removed or changed, so
that nothing runs while they stay as they are.
"""

from __future__ import annotations

from random import Random

from ..api.kind import Kind
from ..api.registry import Registry
from ..base.clock import Clock
from ..base.json_types import Json
from ..kinds import bootstrap
from ..meta import metadata
from ..store import Event, Store, Stored
from .fairness import GROUP, LEVELS, SCHEMAS

AUTOMATIC = "apf.kubernetes.io/autoupdate-spec"
MANDATORY = frozenset({"exempt", "catch-all"})
PERIOD_SECONDS = 60.0


class ConfigurationRestorer:
    """Follows the store and restores, after a while, what every cluster has."""

    def __init__(self, store: Store, registry: Registry, clock: Clock, random: Random) -> None:
        self._store = store
        self._registry = registry
        self._clock = clock
        self._random = random
        self._timer_is_set = False

    def start(self) -> None:
        """Follow the store from now on."""
        self._store.subscribe(self.follow, self._look_later, (SCHEMAS, LEVELS))

    def follow(self, event: Event) -> None:
        """React to an object that went or changed."""
        # One look restores everything; further changes until then need none of their own.
        if self._timer_is_set or event.type == "ADDED":
            return
        if event.type == "DELETED" or _compared_content(event.before) != _compared_content(event.after):
            self._look_later()

    def _look_later(self) -> None:
        if not self._timer_is_set:
            self._clock.call_at(self._clock.now() + PERIOD_SECONDS, self._look)
            self._timer_is_set = True

    def _look(self) -> None:
        self._timer_is_set = False
        current_time = self._clock.now()
        for kind, obj in bootstrap.of_group(self._registry, GROUP):
            current = self._store.get(kind.stored_as, ("", obj["metadata"]["name"]))
            if current is None:
                bootstrap.add(self._store, kind, obj, self._random, current_time)
            elif (new := _restore(kind, obj, current.object)) != current.object:
                self._store.commit(kind.stored_as, current.name, new, expected=current)


def _compared_content(stored: Stored | None) -> Json:
    """Return the part of an object that is compared."""
    if stored is None:
        return None
    return stored.object.get("spec"), (stored.object["metadata"].get("annotations") or {}).get(AUTOMATIC)


def _restore(kind: Kind, obj: Json, current: Json) -> Json:
    """Return an object as the server wants it, unless its annotation says that its users keep it."""
    notes = current["metadata"].get("annotations") or {}
    # Objects from before the annotation: one that its users changed has another generation than 1.
    untouched = current["metadata"].get("generation", 1) == 1
    automatic = obj["metadata"]["name"] in MANDATORY or notes.get(AUTOMATIC, str(untouched).lower()) == "true"
    annotations = {**notes, AUTOMATIC: str(automatic).lower()}
    new = current if annotations == notes else metadata.with_metadata(current, annotations=annotations)
    if automatic and new["spec"] != obj["spec"]:
        new = {**new, "spec": obj["spec"]}
    return metadata.with_generation(new, current, kind)
