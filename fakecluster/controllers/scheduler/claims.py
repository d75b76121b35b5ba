"""The claims of a pod: which nodes can use their volumes,
and the binding of those that wait for a pod (FK-504).
"""

from __future__ import annotations

from collections.abc import Iterator

from ...api.steps import Steps
from ...base.json_types import Json
from ...store import Store, Stored
from ..actor import Actor
from ..volumes.binding import reserve
from ..volumes.claims import NO_PROVISIONER, SELECTED_NODE, is_delayed
from ..volumes.matching import best, class_of, is_usable
from ..volumes.storage import BIND_COMPLETED, CLAIMS, CLASSES, VOLUMES, annotate, annotation
from .filters import Rejection

UNBOUND_CLAIMS = "pod has unbound immediate PersistentVolumeClaims"
WRONG_NODE = Rejection(("node(s) didn't match PersistentVolume's node affinity",))
NO_VOLUME = Rejection(("node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)",))
NOTHING_TO_BIND = Rejection(("node(s) didn't find available persistent volumes to bind",))


class PodClaims:
    """Looks at the claims of pods, and asks for volumes in the name of the scheduler."""

    def __init__(self, store: Store, actor: Actor) -> None:
        self._store = store
        self._actor = actor

    def problem(self, pod: Json) -> str:
        """Return what keeps a pod from every node, empty when nothing does."""
        for name in _names(pod):
            claim = self._claim(pod, name)
            if claim is None:
                return f'persistentvolumeclaim "{name}" not found'
            if "deletionTimestamp" in claim.object["metadata"]:
                return f'persistentvolumeclaim "{name}" is being deleted'
            if claim.object.get("status", {}).get("phase") == "Lost":
                volume = claim.object["spec"].get("volumeName", "")
                return f'persistentvolumeclaim "{name}" bound to non-existent persistentvolume "{volume}"'
            # Only a class that waits for the first consumer lets its claims be unbound when the pod is
            # placed.
            if not _is_bound(claim.object) and not is_delayed(self._class(claim.object)):
                return UNBOUND_CLAIMS
        return ""

    def rejection(self, pod: Json, node: Json) -> Rejection | None:
        """Return why the volumes of a pod keep it from a node, None when they do not."""
        taken: list[str] = []
        for claim in self._claims(pod):
            if _is_bound(claim.object):
                volume = self._store.get(VOLUMES, ("", claim.object["spec"].get("volumeName", "")))
                if volume is None:
                    return NO_VOLUME
                if not is_usable(volume.object, node):
                    return WRONG_NODE
            elif match := self._match(claim.object, node, taken):
                taken.append(match["metadata"]["name"])
            elif (self._class(claim.object) or {}).get("provisioner") == NO_PROVISIONER:
                return NOTHING_TO_BIND
        return None

    def request(self, pod: Json, node: Json) -> Steps[bool]:
        """Reserve volumes for the claims that wait for this pod, or have them provisioned for its node.

        Return whether the pod has to wait for them. Raises StatusError.
        """
        taken: list[str] = []
        waits = False
        for claim in self._claims(pod):
            if _is_bound(claim.object) or not is_delayed(self._class(claim.object)):
                continue
            waits = True
            match = self._match(claim.object, node, taken)
            if match:
                taken.append(match["metadata"]["name"])
                yield from self._write("PersistentVolume", match, reserve(match, claim.object))
            else:
                selected = annotate(claim.object, **{SELECTED_NODE: node["metadata"]["name"]})
                yield from self._write("PersistentVolumeClaim", claim.object, selected)
        return waits

    def _write(self, kind: str, before: Json, after: Json) -> Steps[None]:
        row = self._actor.kind("v1", kind)
        # An unchanged object is not written again.
        if row and after != before:
            yield from self._actor.update(row, after)

    def _match(self, claim: Json, node: Json, taken: list[str]) -> Json | None:
        volumes = [stored.object for stored in self._store.list(VOLUMES)]
        return best(claim, volumes, node=node, taken=taken)

    def _claims(self, pod: Json) -> list[Stored]:
        return [claim for name in _names(pod) if (claim := self._claim(pod, name))]

    def _claim(self, pod: Json, name: str) -> Stored | None:
        return self._store.get(CLAIMS, (pod["metadata"]["namespace"], name))

    def _class(self, claim: Json) -> Json | None:
        stored = self._store.get(CLASSES, ("", class_of(claim)))
        return stored.object if stored else None


def _names(pod: Json) -> Iterator[str]:
    for volume in pod["spec"].get("volumes") or ():
        if volume.get("persistentVolumeClaim"):
            yield volume["persistentVolumeClaim"]["claimName"]


def _is_bound(claim: Json) -> bool:
    return annotation(claim, BIND_COMPLETED) is not None
