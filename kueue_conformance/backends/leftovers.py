"""Objects that runs have left in a cluster that outlives them, found by the run's label (harness/H-40, H-41).

A killed control plane leaves finalizers on its objects, which are removed here, after the time in which
a Kueue that lives would have done it.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ..base.json_types import Json
from ..programs.polling import becomes
from ..wire import kinds
from ..wire.client import RUN_LABEL, ApiError, Client
from ..wire.resource import RESOURCES, Resource

# Events are many, expire by themselves, and would each cost a request.
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


def cleanup_command(backend: str, reused: str) -> str:
    """Return the command that removes the objects of all runs from a cluster, by the options of a run that
    chose it: the backend, `kubeconfig:PATH@CONTEXT`, and the kind cluster that is used again.
    """
    file, _, context = backend.partition(":")[2].partition("@")
    words = ["--kind-reuse", reused] if reused else ["--kubeconfig", file]
    words += ["--context", context] if context else []
    return shlex.join(["kueue-conformance", "cleanup", *words])


def leftovers(client: Client, run: str = "") -> Sequence[Leftover]:
    """Return the objects with the label of a run, or of any run, and those in namespaces with the label;
    owners and dependencies come last.

    A namespace that ends is none of them, what still is in it is.
    """
    label = f"{RUN_LABEL}={run}" if run else RUN_LABEL
    # Discovery tells which kinds there are: manifests of a subject may bring kinds of their own.
    served = [
        resource for resource in kinds.served_resources(client) if resource.kind != _GONE_WITH_A_NAMESPACE
    ]
    labelled = [leftover for resource in served for leftover in _of(client, resource, label)]
    ours = {leftover.name: leftover.run for leftover in labelled if leftover.resource.kind == "Namespace"}
    # Jobs and Pods are made by controllers, which copy no label of ours.
    within = (
        [leftover for kind in _INSIDE for leftover in _inside(client, RESOURCES[kind], ours)] if ours else []
    )
    # One object is found by its label and again by its namespace.
    distinct = {leftover.path: leftover for leftover in [*labelled, *within]}
    going = {
        leftover.path: leftover.name
        for leftover in labelled
        if leftover.resource.kind == "Namespace" and leftover.ending
    }
    remaining = [
        replace(leftover, ending=leftover.ending or leftover.namespace in going.values())
        for path, leftover in distinct.items()
        if path not in going
    ]
    return sorted(remaining, key=lambda leftover: (_rank(leftover.resource), leftover.path))


def staying(client: Client, seconds: float = _ENDING_SECONDS) -> Sequence[Leftover]:
    """Return the objects that are left after those under deletion had `seconds` seconds to go."""
    becomes(lambda: not any(leftover.ending for leftover in leftovers(client)), seconds)
    return leftovers(client)


def remove(client: Client, objects: Sequence[Leftover], seconds: float = _FINALIZERS_SECONDS) -> None:
    """Delete the objects and wait until they are gone. Raises ApiError."""
    # Namespaces and definitions last: their deletion waits for the finalizers of what is in them.
    for late in (False, True):
        some = [leftover for leftover in objects if (leftover.resource.kind in _LAST) is late]
        for leftover in some:
            _delete(client, leftover.path)
        _let_go(client, some, seconds)


def _delete(client: Client, path: str) -> None:
    try:
        # A Job deleted by this API orphans its Pods unless a policy is named.
        client.call("DELETE", path, {"propagationPolicy": "Background"})
    except ApiError as error:
        if error.code != 404:
            raise


def _let_go(client: Client, objects: Sequence[Leftover], seconds: float) -> None:
    """Wait until only namespaces under deletion are left;
    then remove the finalizers that no controller removes.
    """
    going = [leftover for leftover in objects if leftover.resource.kind != "Namespace"]
    # A living Kueue removes its finalizers within this time; to remove them at once would skip
    # its bookkeeping.
    if not becomes(lambda: all(_finalizers(client, leftover) is None for leftover in going), seconds):
        for leftover in going:
            _free(client, leftover)


def _free(client: Client, leftover: Leftover) -> None:
    if _finalizers(client, leftover):
        try:
            client.call(
                "PATCH",
                leftover.path,
                # In a merge patch null removes the field, whichever finalizers it has.
                {"metadata": {"finalizers": None}},
                media="application/merge-patch+json",
            )
        except ApiError as error:
            if error.code != 404:
                raise


def _finalizers(client: Client, leftover: Leftover) -> Sequence[str] | None:
    """Return the finalizers of an object; None when it is gone."""
    try:
        finalizers: Sequence[str] = client.call("GET", leftover.path)["metadata"].get("finalizers", [])
    except ApiError as error:
        if error.code != 404:
            raise
        return None
    return finalizers


def _of(client: Client, resource: Resource, label: str) -> Iterator[Leftover]:
    for item in _list_items(client, resource, labelSelector=label):
        metadata = item["metadata"]
        yield Leftover(
            resource=resource,
            namespace=metadata.get("namespace", ""),
            name=metadata["name"],
            run=metadata["labels"][RUN_LABEL],
            ending="deletionTimestamp" in metadata,
        )


def _inside(client: Client, resource: Resource, ours: dict[str, str]) -> Iterator[Leftover]:
    for item in _list_items(client, resource):
        metadata = item["metadata"]
        if metadata["namespace"] in ours:
            yield Leftover(
                resource=resource,
                namespace=metadata["namespace"],
                name=metadata["name"],
                run=ours[metadata["namespace"]],
                ending="deletionTimestamp" in metadata,
            )


def _list_items(client: Client, resource: Resource, **query: str) -> Sequence[Json]:
    try:
        items: Sequence[Json] = client.call("GET", resource.path(), None, **query)["items"]
    except ApiError as error:
        if error.code not in (404, 405):  # a cluster without Kueue's kinds, or a kind that went meanwhile
            raise
        return ()
    return items


def _rank(resource: Resource) -> int:
    # Workloads before ClusterQueues: Kueue keeps a queue's finalizer while a Workload uses it.
    return 2 if resource.kind in _LAST else 0 if resource.namespaced else 1
