"""What ResourceFlavors must be (AC-080…082)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ...api.resource import Json
from .names import label_name, label_value, labels
from .problems import Problem, duplicate, invalid
from .writes import ReviewedWrite, ValidationRule


def node_labels(write: ReviewedWrite) -> Iterator[Problem]:
    """AC-080: labels of nodes are labels."""
    return labels(write.spec.get("nodeLabels"), "spec.nodeLabels")


def taints(write: ReviewedWrite) -> Iterator[Problem]:
    """AC-081: keys and values are those of labels, and no taint is there twice."""
    names = set()
    for index, taint in enumerate(write.spec.get("nodeTaints") or ()):
        path = f"spec.nodeTaints[{index}]"
        value, identity = taint.get("value", ""), (taint.get("key", ""), taint.get("effect", ""))
        yield from label_name(identity[0], f"{path}.key")
        yield from (invalid(f"{path}.value", value, text) for text in label_value(value))
        if identity in names:
            yield duplicate(path, taint, "taints must be unique by key and effect pair")
        names.add(identity)


def keys_of_tolerations(tolerations: Sequence[Json] | None, path: str) -> Iterator[Problem]:
    """AC-082, AC-126: the key of a toleration is the name of a label."""
    for index, toleration in enumerate(tolerations or ()):
        if key := toleration.get("key"):
            yield from label_name(key, f"{path}[{index}].key")


def tolerations(write: ReviewedWrite) -> Iterator[Problem]:
    """AC-082: of the flavor."""
    return keys_of_tolerations(write.spec.get("tolerations"), "spec.tolerations")


RESOURCE_FLAVOR: Final = (ValidationRule(node_labels), ValidationRule(taints), ValidationRule(tolerations))
