"""The namespaces in which Jobs are managed: `managedJobsNamespaceSelector` of the Configuration (AC-339)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from reference_impl.api.kinds import NAMESPACES
from reference_impl.api.resource import Json, Key
from reference_impl.pods.selectors import matches
from reference_impl.runtime.part import Runnable, Runtime

NAME_LABEL: Final = "kubernetes.io/metadata.name"
"""The label with its name that the API server gives to each namespace."""


class NamespaceReader(Protocol):
    """Where namespaces are looked up."""

    def get(self, key: Key) -> Json | None:
        """Return a namespace, None where there is none."""


def all_but(*names: str) -> Json:
    """Return the selector of every namespace but these."""
    return {"matchExpressions": [{"key": NAME_LABEL, "operator": "NotIn", "values": list(names)}]}


def keys_of(selector: Json) -> frozenset[str]:
    """Return the labels that a selector reads."""
    expressions = selector.get("matchExpressions") or ()
    return frozenset(selector.get("matchLabels") or ()) | {expression["key"] for expression in expressions}


@dataclass(eq=False, slots=True)
class ManagedNamespaces:
    """Tells whether Jobs of a namespace are managed: a part of the manager that follows namespaces where the
    selector reads more than their names. Before the manager starts no namespace matches such a selector.
    """

    selector: Json = field(default_factory=dict)
    """A label selector; an empty one selects every namespace."""
    reads_labels: bool = field(init=False)
    """Whether more than the name of a namespace decides."""
    _namespaces: NamespaceReader = field(default_factory=dict[Key, Json])

    def __post_init__(self) -> None:
        self.reads_labels = bool(keys_of(self.selector) - {NAME_LABEL})

    def assemble(self, runtime: Runtime) -> Sequence[Runnable]:
        """Follow namespaces where their labels decide; nothing runs for that but their informer."""
        # The default selector reads names alone, and a watch on namespaces would be a
        # request and a right that a program with Jobs alone does without.
        if self.reads_labels:
            self._namespaces = runtime.informer(NAMESPACES).store
        return ()

    def include(self, namespace: str) -> bool:
        """Tell whether Jobs of this namespace are managed."""
        labels = self._labels(namespace)
        return labels is not None and matches(self.selector, labels)

    def _labels(self, namespace: str) -> Mapping[str, str] | None:
        if not self.reads_labels:
            return {NAME_LABEL: namespace}
        obj = self._namespaces.get(Key("", namespace))
        return None if obj is None else obj["metadata"].get("labels") or {}
