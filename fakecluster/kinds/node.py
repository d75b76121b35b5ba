"""RuntimeClass, the kind of `node.k8s.io` (FK-504)."""

from __future__ import annotations

from ..api.kind import Kind
from ..base.json_types import Json
from ..codec.cells import AGE, column, member
from ..gotypes.golang import to_go_struct
from ..schema import fields
from ..schema.fields import FieldError
from .core.pod.validation import placement, resources
from .row import row
from .validation import basics, deprecated_labels
from .validation.basics import Errors
from .validation.duplicates import positions_of_repeats


def runtime_class(obj: Json) -> list[FieldError]:
    """Judge a RuntimeClass."""
    scheduling = obj.get("scheduling") or {}
    overhead = (obj.get("overhead") or {}).get("podFixed")
    return [
        *basics.judge_name(obj.get("handler", ""), "handler", basics.dns_label),
        *resources.overhead(overhead, "overhead"),
        *basics.label_map(scheduling.get("nodeSelector"), "scheduling.nodeSelector"),
        *placement.tolerations(scheduling.get("tolerations") or [], "scheduling.tolerations"),
        *_toleration_repeats(scheduling.get("tolerations") or [], "scheduling.tolerations"),
    ]


def _toleration_repeats(tolerations: list[Json], path: str) -> Errors:
    for number in sorted(positions_of_repeats(tolerations)):
        yield fields.duplicate(f"{path}[{number}]", to_go_struct("core.v1.Toleration", tolerations[number]))


def same_handler(new: Json, old: Json) -> list[FieldError]:
    """Judge that a RuntimeClass keeps its handler."""
    return list(basics.immutable(new.get("handler"), old.get("handler"), "handler"))


def old_labels(new: Json, old: Json) -> list[str]:
    """Return the warnings of a RuntimeClass (FK-236)."""
    del old
    labels = (new.get("scheduling") or {}).get("nodeSelector") or ()
    messages = map(deprecated_labels.MESSAGES.get, labels)
    return [f"scheduling.nodeSelector: {message}" for message in messages if message]


RUNTIME_CLASS = (column("Handler", member("handler")), AGE)
KINDS: tuple[Kind, ...] = (
    row(
        "node.v1.RuntimeClass",
        "runtimeclasses",
        warnings=old_labels,
        namespaced=False,
        unconditional_update=False,
        create_on_update=True,
        validate=runtime_class,
        validate_update=same_handler,
        columns=RUNTIME_CLASS,
    ),
)
