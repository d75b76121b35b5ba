"""Objects that runs have left in a cluster that outlives them: found by the label that all of them bear (harness/H-40, H-41)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..client import RESOURCES, RUN_LABEL, ApiError, Client, Resource

_GONE_WITH_A_NAMESPACE = "Event"


@dataclass(frozen=True, slots=True, kw_only=True)
class Leftover:
    """One object, and the run that made it."""

    resource: Resource
    namespace: str
    name: str
    run: str

    def __str__(self) -> str:
        where = f" in {self.namespace}" if self.namespace else ""
        return f"{self.resource.kind} {self.name}{where}"


def leftovers(client: Client) -> Sequence[Leftover]:
    """Return what bears the label of a run, namespaces last: those that use others come first."""
    kinds = [one for one in RESOURCES.values() if one.kind != _GONE_WITH_A_NAMESPACE]
    found = [each for resource in reversed(kinds) for each in _of(client, resource)]
    return sorted(found, key=lambda one: one.resource.namespaced, reverse=True)


def remove(client: Client, found: Sequence[Leftover]) -> None:
    """Delete them. Raises ApiError."""
    for one in found:
        path = one.resource.path(one.namespace, one.name)
        try:
            client.call("DELETE", path, {"propagationPolicy": "Background"})
        except ApiError as error:
            if error.code != 404:
                raise


def _of(client: Client, resource: Resource) -> Iterator[Leftover]:
    try:
        items = client.call("GET", resource.path(), labelSelector=RUN_LABEL)["items"]
    except ApiError as error:
        if error.code != 404:  # a cluster without Kueue's kinds
            raise
        return
    for one in items:
        said = one["metadata"]
        yield Leftover(
            resource=resource, namespace=said.get("namespace", ""), name=said["name"], run=said["labels"][RUN_LABEL]
        )  # fmt: skip
