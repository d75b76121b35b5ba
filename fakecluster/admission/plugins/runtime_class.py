"""RuntimeClass: a new pod gets what its RuntimeClass costs and where that runs (FK-317)."""

from __future__ import annotations

from ...api.admission import Review
from ...api.context import Context
from ...base import work_budget
from ...base.json_types import Json
from ...schema.fields import go_quote
from .plugin import CREATE, PODS, Plugin, forbidden

RUNTIME_CLASSES = ("node.k8s.io", "runtimeclasses")
UNFOUNDED_OVERHEAD = "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead"
OTHER_OVERHEAD = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead"
UNLIMITED_SECONDS = float("inf")


def place(api: Context, review: Review, pod: Json) -> Json:
    """Return a new pod with the overhead, selector and tolerations of its class. Raises 403."""
    spec = pod["spec"]
    runtime_class = _class_of(api, review, spec.get("runtimeClassName"))
    overhead: Json = (runtime_class.get("overhead") or {}).get("podFixed") or {}
    if overhead and spec.get("overhead") and spec["overhead"] != overhead:
        raise forbidden(review, OTHER_OVERHEAD)
    added = {"overhead": overhead} if overhead else {}
    added |= _placement(review, spec, runtime_class.get("scheduling") or {})
    return {**pod, "spec": {**spec, **added}} if added else pod


def check_overhead(api: Context, review: Review) -> None:
    """Check that the overhead of a new pod is that of its class. Raises 403."""
    spec = review.new["spec"]
    overhead = (_class_of(api, review, spec.get("runtimeClassName")).get("overhead") or {}).get(
        "podFixed"
    ) or {}
    if overhead and spec.get("overhead") != overhead:
        raise forbidden(review, OTHER_OVERHEAD)
    if spec.get("overhead") and not overhead:
        raise forbidden(review, UNFOUNDED_OVERHEAD)


def _class_of(api: Context, review: Review, name: str | None) -> Json:
    if not name:
        return {}
    stored = api.store.get(RUNTIME_CLASSES, ("", name))
    if stored is None:
        raise forbidden(review, f"pod rejected: RuntimeClass {go_quote(name)} not found")
    return stored.object


def _placement(review: Review, spec: Json, scheduling: Json) -> Json:
    """Return the selector and the tolerations of a pod together with those of its class. Raises 403."""
    selector, required = spec.get("nodeSelector") or {}, scheduling.get("nodeSelector") or {}
    # Sorted, so that the first conflict is always the same.
    for key, value in sorted(required.items()):
        # A selector that the pod has with the same value is no conflict.
        if selector.get(key, value) != value:
            both = f"runtimeClass.scheduling.nodeSelector[{key}] = {value}; pod.spec.nodeSelector[{key}] = {selector[key]}"
            raise forbidden(review, f"conflict: {both}")
    tolerations = [*(spec.get("tolerations") or ()), *(scheduling.get("tolerations") or ())]
    return {
        **({"nodeSelector": {**selector, **required}} if required else {}),
        **({"tolerations": merge_tolerations(tolerations)} if scheduling else {}),
    }


PLUGIN = Plugin(
    name="RuntimeClass", operations=CREATE, mutates={PODS: place}, validates={PODS: check_overhead}
)


def merge_tolerations(tolerations: list[Json]) -> list[Json]:
    """Return tolerations in their order; of equal ones the first stays."""
    # Each is compared with each.
    work_budget.spend("pairs of tolerations", len(tolerations) ** 2)
    merged: list[Json] = []
    for number, toleration in enumerate(tolerations):
        # An equal one later on does not count, so that the first of two equal ones stays.
        later = (other for other in tolerations[number + 1 :] if other != toleration)
        if not any(_includes(other, toleration) for other in (*merged, *later)):
            merged.append(toleration)
    return merged


def _includes(wide: Json, narrow: Json) -> bool:
    """Whether whatever one toleration tolerates, another does as well."""
    if wide == narrow:
        return True
    exists = wide.get("operator") == "Exists"
    if narrow.get("key", "") != wide.get("key", "") and (wide.get("key") or not exists):
        return False
    if wide.get("effect") and narrow.get("effect", "") != wide["effect"]:
        return False
    if wide.get("effect") == "NoExecute" and _seconds(wide) < _seconds(narrow):
        return False
    # Only an explicit Equal matches here; an empty operator of the narrow one means it but is not compared.
    same = narrow.get("operator") == "Equal" and narrow.get("value", "") == wide.get("value", "")
    return exists or (wide.get("operator") in {None, "", "Equal"} and same)


def _seconds(toleration: Json) -> float:
    return float(toleration.get("tolerationSeconds", UNLIMITED_SECONDS))
