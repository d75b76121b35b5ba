"""Namespaces: what the server makes of a new one, rules, columns (FK-340, FK-345)."""

from __future__ import annotations

from collections.abc import Sequence

from ...base.json_types import Json
from ...codec.cells import AGE, column, member
from ...meta import labels
from ...schema import fields
from ...schema.fields import FieldError

FINALIZER = "kubernetes"
NAME_LABEL = "kubernetes.io/metadata.name"


def prepare(namespace: Json) -> Json:
    """Make it active and keep it until its content is gone."""
    finalizers = namespace.get("spec", {}).get("finalizers") or []
    # The namespace controller removes this finalizer when the content is gone.
    if FINALIZER not in finalizers:
        finalizers = [*finalizers, FINALIZER]
    metadata = namespace["metadata"]
    labels = {**metadata.get("labels", {}), NAME_LABEL: metadata.get("name", "")}
    return {
        **namespace,
        "metadata": {**metadata, "labels": labels},
        "spec": {"finalizers": finalizers},
        "status": {"phase": "Active"},
    }


def keep_finalizers(new: Json, old: Json) -> Json:
    """Only /finalize changes the spec."""
    # The spec is changed by /finalize alone, whatever a PUT says.
    return {**new, "spec": old["spec"]}


QUALIFIED_FINALIZER = "name is neither a standard finalizer name nor is it fully qualified"


def namespace(obj: Json) -> list[FieldError]:
    """Judge a Namespace."""
    finalizers = obj.get("spec", {}).get("finalizers") or ()
    return [
        fields.invalid("spec.finalizers", finalizer, why)
        for finalizer in finalizers
        for why in _finalizer_problems(finalizer)
    ]


def judge_remaining_finalizers(obj: Json) -> list[FieldError]:
    """Judge the finalizers that /finalize leaves in a Namespace."""
    finalizers = enumerate(obj.get("spec", {}).get("finalizers") or ())
    return [
        fields.invalid(f"spec.finalizers[{number}]", finalizer, why)
        for number, finalizer in finalizers
        for why in _finalizer_problems(finalizer)
    ]


def _finalizer_problems(name: str) -> Sequence[str]:
    problems = labels.key_problems(name)
    # Without a slash only `kubernetes` itself is a finalizer of a namespace.
    return problems if "/" in name or name == "kubernetes" else [*problems, QUALIFIED_FINALIZER]


def phase(new: Json, old: Json) -> list[FieldError]:
    """Judge a Namespace's status: it is active unless it is being deleted."""
    del old
    going, phase = "deletionTimestamp" in new["metadata"], new.get("status", {}).get("phase", "")
    if phase == ("Terminating" if going else "Active"):
        return []
    why = (
        "may only be 'Terminating' if `deletionTimestamp` is not empty"
        if going
        else "may only be 'Active' if `deletionTimestamp` is empty"
    )
    # The path has the Go name of the field.
    return [fields.invalid("status.Phase", phase, why)]


NAMESPACE = (column("Status", member("status", "phase")), AGE)
