"""The namespace deleter: empties a namespace that is told to
go and lets it go when nothing is left (FK-344, FK-457).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ..api.kind import Kind
from ..api.steps import Steps
from ..base.json_types import Json
from ..base.numbers.timestamps import at
from ..registry.machinery import Api
from ..store import Event, Store, Stored
from .actor import Actor, service_account
from .engine import Key

ObjectsByKind = list[tuple[Kind, list[Stored]]]
NAMESPACES = ("", "namespaces")
FINALIZER = "kubernetes"
SUCCESS_CONDITIONS = (
    ("NamespaceDeletionDiscoveryFailure", "ResourcesDiscovered", "All resources successfully discovered"),
    (
        "NamespaceDeletionGroupVersionParsingFailure",
        "ParsedGroupVersions",
        "All legacy kube types successfully parsed",
    ),
    (
        "NamespaceDeletionContentFailure",
        "ContentDeleted",
        "All content successfully deleted, may be waiting on finalization",
    ),
)


class NamespaceController:
    """Deletes the content of terminating namespaces."""

    resources = None

    def __init__(self, api: Api) -> None:
        self._api = api
        self._actor = Actor(api, service_account("namespace-controller"), "kube-controller-manager")

    def initial(self, store: Store) -> Iterable[Key]:
        """Return the namespaces that are going."""
        return [(namespace.name[1],) for namespace in store.list(NAMESPACES) if _is_going(namespace)]

    def keys(self, event: Event) -> Iterable[Key]:
        """Return a namespace that is going, also when something in it changed."""
        if event.resource == NAMESPACES:
            return ((event.after.name[1],),) if _is_going(event.after) else ()
        namespace = event.after.name[0]
        around = self._api.store.get(NAMESPACES, ("", namespace)) if namespace else None
        return ((namespace,),) if around and _is_going(around) else ()

    def work(self, key: Key) -> Steps[float | None]:
        """Empty one namespace as far as it can be emptied now."""
        namespace = self._api.store.get(NAMESPACES, ("", key[0]))
        row = self._actor.kind("v1", "Namespace")
        if namespace is None or row is None or not _is_going(namespace):
            return None
        for kind in self._kinds():
            if any(
                "deletionTimestamp" not in stored.object["metadata"] for stored in self._inside(kind, key[0])
            ):
                yield from self._actor.delete_all(kind, key[0])
        remaining = [(kind, objects) for kind in self._kinds() if (objects := self._inside(kind, key[0]))]
        current = yield from self._report(row, key[0], remaining)
        if current and not remaining:
            finalizers = [
                finalizer for finalizer in current["spec"].get("finalizers", ()) if finalizer != FINALIZER
            ]
            yield from self._actor.update(row, {**current, "spec": {"finalizers": finalizers}}, "finalize")
        return None

    def _kinds(self) -> list[Kind]:
        """Return one row for each resource that a namespace can hold, in a fixed order."""
        rows = {
            kind.stored_as: kind
            for kind in self._api.registry.kinds()
            if kind.namespaced and "deletecollection" in kind.verbs and kind.schema.storage_key is None
        }
        return [rows[resource] for resource in sorted(rows)]

    def _inside(self, kind: Kind, namespace: str) -> list[Stored]:
        return self._api.store.list(kind.stored_as, namespace=namespace)

    def _report(self, row: Kind, name: str, remaining: ObjectsByKind) -> Steps[Json]:
        """Write conditions about the content that is left and return the namespace,
        None when it is deleted.
        """
        namespace = self._api.store.get(NAMESPACES, ("", name))
        if namespace is None:
            return None
        status = namespace.object.get("status", {})
        before = {condition["type"]: condition for condition in status.get("conditions", ())}
        conditions = [self._condition(before, *finding) for finding in _findings(remaining)]
        if conditions == status.get("conditions"):
            return namespace.object
        new = {**namespace.object, "status": {**status, "conditions": conditions}}
        return (yield from self._actor.update_status(row, new))

    def _condition(self, before: dict[str, Json], kind: str, status: str, reason: str, message: str) -> Json:
        condition = {"type": kind, "status": status, "reason": reason, "message": message}
        old = before.get(kind)
        if old and all(old.get(name) == value for name, value in condition.items()):
            return old
        return {**condition, "lastTransitionTime": at(self._api.clock.now())}


def _is_going(namespace: Stored) -> bool:
    return "deletionTimestamp" in namespace.object["metadata"] and bool(
        namespace.object.get("spec", {}).get("finalizers")
    )


def _findings(objects_by_kind: ObjectsByKind) -> Iterable[tuple[str, str, str, str]]:
    """Yield type, status, reason and message of each condition."""
    for kind, reason, message in SUCCESS_CONDITIONS:
        yield kind, "False", reason, message
    remaining = ", ".join(
        f"{row.plural}.{row.group} has {len(objects)} resource instances" for row, objects in objects_by_kind
    )
    finalizers = Counter(
        name
        for _, objects in objects_by_kind
        for stored in objects
        for name in stored.object["metadata"].get("finalizers", ())
    )
    finalizer_counts = ", ".join(
        f"{name} in {number} resource instances" for name, number in sorted(finalizers.items())
    )
    yield (
        (
            "NamespaceContentRemaining",
            "True",
            "SomeResourcesRemain",
            f"Some resources are remaining: {remaining}",
        )
        if objects_by_kind
        else ("NamespaceContentRemaining", "False", "ContentRemoved", "All content successfully removed")
    )
    yield (
        (
            "NamespaceFinalizersRemaining",
            "True",
            "SomeFinalizersRemain",
            f"Some content in the namespace has finalizers remaining: {finalizer_counts}",
        )
        if finalizer_counts
        else (
            "NamespaceFinalizersRemaining",
            "False",
            "ContentHasNoFinalizers",
            "All content-preserving finalizers finished",
        )
    )
