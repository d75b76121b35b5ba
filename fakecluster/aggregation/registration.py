"""The APIServices that this server keeps for what it answers itself:
one for each version of each definition (FK-435).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from ..base.json_types import Json
from ..base.uids import uid as new_uid
from ..crds import CRD
from ..crds.lifecycle import is_true
from ..kinds import BUILTIN_KINDS
from ..kinds.apiregistration import local
from ..meta import metadata
from ..store import Event, Store
from .extension import APISERVICES, AUTOMANAGED

AUTOMANAGED_TRUE = "true"
"""The label of those that follow definitions; those of built-in groups are there from the start."""
GROUP_PRIORITY, VERSION_PRIORITY = 1000, 100
KIND = next(kind for kind in BUILTIN_KINDS if kind.stored_as == APISERVICES)


class Registration:
    """Keeps the APIServices of custom groups in step with the definitions."""

    def __init__(self, store: Store, current_time: Callable[[], float]) -> None:
        self._store = store
        self._current_time = current_time

    def start(self) -> None:
        """Follow the store from now on."""
        self._store.subscribe(self._follow, self._sync_all, (APISERVICES, CRD.stored_as))

    def _follow(self, event: Event) -> None:
        if event.type == "DELETED" or event.resource == CRD.stored_as:
            self._sync(event.after.object["spec"].get("group", ""))

    def _sync_all(self) -> None:
        stored = (*self._store.list(CRD.stored_as), *self._store.list(APISERVICES))
        for group in sorted({obj.object["spec"].get("group", "") for obj in stored}):
            self._sync(group)

    def _sync(self, group: str) -> None:
        served_versions = {f"{version}.{group}": version for version in self._served_versions(group)}
        for name, version in served_versions.items():
            # One that a user made by hand stays as it is.
            if self._store.get(APISERVICES, ("", name)) is None:
                self._store.commit(
                    APISERVICES, ("", name), self._new_apiservice(name, group, version), expected=None
                )
        for stored in self._store.list(APISERVICES):
            labels = stored.object["metadata"].get("labels") or {}
            ours = labels.get(AUTOMANAGED) == AUTOMANAGED_TRUE and stored.object["spec"].get("group") == group
            if ours and stored.name[1] not in served_versions:
                self._store.remove(stored)

    def _served_versions(self, group: str) -> Iterator[str]:
        for definition in self._store.list(CRD.stored_as):
            if definition.object["spec"]["group"] == group and is_true(definition.object, "Established"):
                yield from (
                    version["name"] for version in definition.object["spec"]["versions"] if version["served"]
                )

    def _new_apiservice(self, name: str, group: str, version: str) -> Json:
        current_time = self._current_time()
        spec = {
            "group": group,
            "version": version,
            "groupPriorityMinimum": GROUP_PRIORITY,
            "versionPriority": VERSION_PRIORITY,
        }
        obj = {
            "apiVersion": KIND.api_version,
            "kind": KIND.kind,
            "metadata": {"name": name, "labels": {AUTOMANAGED: AUTOMANAGED_TRUE}},
            "spec": spec,
            "status": {"conditions": [local(metadata.timestamp(current_time))]},
        }
        # Named by what it is for, so that it takes nothing from the random numbers of others.
        uid = new_uid(Random(name))  # noqa: S311
        return metadata.for_create(obj, KIND, uid=uid, current_time=current_time)
