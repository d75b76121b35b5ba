"""Objects that runs have left in a cluster that outlives them, found by the run's label (harness/H-40, H-41).

A killed control plane leaves finalizers on its objects, which are removed here, after the time in which
a Kueue that lives would have done it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ..base.json_types import Json
from ..programs.polling import becomes
from ..wire import kinds
from ..wire.client import RUN_LABEL, ApiError, Client
from ..wire.resource import RESOURCES, Resource

_GONE_WITH_A_NAMESPACE = "Event"
_LAST = ("Namespace", "CustomResourceDefinition")
_INSIDE = ("Workload", "LocalQueue", "Job", "Pod")
"""Kinds whose objects in a namespace of ours belong to the run, whichever client made them."""
_FINALIZERS_SECONDS, _ENDING_SECONDS = 5.0, 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Leftover:
    """An object, and the run that made it."""

    resource: Resource
    namespace: str
    name: str
    run: str
    ending: bool = False
    """It was deleted, or its namespace was, and still exists."""

    @property
    def path(self) -> str:
        """Where it is."""
        return self.resource.path(self.namespace, self.name)

    def __str__(self) -> str:
        where = f" in {self.namespace}" if self.namespace else ""
        return f"{self.resource.kind} {self.name}{where}"


def leftovers(client: Client, run: str = "") -> Sequence[Leftover]:
    """Return the objects with the label of a run, or of any run, and those in namespaces with the label;
    owners and dependencies come last.

    A namespace that ends is none of them, what still is in it is.
    """
    label = f"{RUN_LABEL}={run}" if run else RUN_LABEL
    served = [one for one in kinds.served(client) if one.kind != _GONE_WITH_A_NAMESPACE]
    found = [each for resource in served for each in _of(client, resource, label)]
    ours = {one.name: one.run for one in found if one.resource.kind == "Namespace"}
    within = [each for kind in _INSIDE for each in _inside(client, RESOURCES[kind], ours)] if ours else []
    distinct = {one.path: one for one in [*found, *within]}
    going = {one.path: one.name for one in found if one.resource.kind == "Namespace" and one.ending}
    left = [
        replace(one, ending=one.ending or one.namespace in going.values())
        for path, one in distinct.items()
        if path not in going
    ]
    return sorted(left, key=lambda one: (_rank(one.resource), one.path))


def staying(client: Client, seconds: float = _ENDING_SECONDS) -> Sequence[Leftover]:
    """Return the objects that are left after those under deletion had `seconds` seconds to go."""
    becomes(lambda: not any(one.ending for one in leftovers(client)), seconds)
    return leftovers(client)


def remove(client: Client, found: Sequence[Leftover], seconds: float = _FINALIZERS_SECONDS) -> None:
    """Delete the objects and wait until they are gone. Raises ApiError."""
    for late in (False, True):
        some = [one for one in found if (one.resource.kind in _LAST) is late]
        for one in some:
            _delete(client, one.path)
        _let_go(client, some, seconds)


def _delete(client: Client, path: str) -> None:
    try:
        client.call("DELETE", path, {"propagationPolicy": "Background"})
    except ApiError as error:
        if error.code != 404:
            raise


def _let_go(client: Client, found: Sequence[Leftover], seconds: float) -> None:
    """Wait until only namespaces under deletion are left;
    then remove the finalizers that no controller removes.
    """
    going = [one for one in found if one.resource.kind != "Namespace"]
    if not becomes(lambda: all(_finalizers(client, one) is None for one in going), seconds):
        for one in going:
            _free(client, one)


def _free(client: Client, one: Leftover) -> None:
    if _finalizers(client, one):
        try:
            client.call(
                "PATCH", one.path, {"metadata": {"finalizers": None}}, media="application/merge-patch+json"
            )
        except ApiError as error:
            if error.code != 404:
                raise


def _finalizers(client: Client, one: Leftover) -> Sequence[str] | None:
    """Return the finalizers of an object; None when it is gone."""
    try:
        found: Sequence[str] = client.call("GET", one.path)["metadata"].get("finalizers", [])
    except ApiError as error:
        if error.code != 404:
            raise
        return None
    return found


def _of(client: Client, resource: Resource, label: str) -> Iterator[Leftover]:
    for one in _listed(client, resource, labelSelector=label):
        said = one["metadata"]
        yield Leftover(
            resource=resource,
            namespace=said.get("namespace", ""),
            name=said["name"],
            run=said["labels"][RUN_LABEL],
            ending="deletionTimestamp" in said,
        )


def _inside(client: Client, resource: Resource, ours: dict[str, str]) -> Iterator[Leftover]:
    for one in _listed(client, resource):
        said = one["metadata"]
        if said["namespace"] in ours:
            yield Leftover(
                resource=resource,
                namespace=said["namespace"],
                name=said["name"],
                run=ours[said["namespace"]],
                ending="deletionTimestamp" in said,
            )


def _listed(client: Client, resource: Resource, **query: str) -> Sequence[Json]:
    try:
        items: Sequence[Json] = client.call("GET", resource.path(), None, **query)["items"]
    except ApiError as error:
        if error.code not in (404, 405):  # a cluster without Kueue's kinds, or a kind that went meanwhile
            raise
        return ()
    return items


def _rank(resource: Resource) -> int:
    return 2 if resource.kind in _LAST else 0 if resource.namespaced else 1
