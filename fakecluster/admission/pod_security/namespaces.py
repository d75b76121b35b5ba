"""Namespaces under PodSecurity: labels that are valid,
and pods that a stricter level would not allow (FK-317).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...api import status
from ...api.admission import Review
from ...base.json_types import Json
from ...schema.fields import go_quote
from ...store import Store
from . import evaluation
from .levels import LevelVersion, policy

PODS = ("", "pods")
MOST_PODS = 3000
"""How many pods are looked at when the level of a namespace is raised."""
ONLY_SOME = "new PodSecurity enforce level only checked against the first {} of {} existing pods"
EXISTING_PODS_VIOLATE = "existing pods in namespace {} violate the new PodSecurity enforce level {}"


def check(store: Store, review: Review) -> None:
    """Check the labels of a namespace, and warn of pods that its new level would not allow. Raises 422."""
    new, errors = policy(_labels(review.new))
    old, old_errors = policy(_labels(review.old))
    if errors and errors != old_errors:
        raise status.invalid_object(review.kind, review.name, errors)
    if review.operation == "UPDATE" and _is_raised(new.enforce, old.enforce):
        for text in warnings(store, review.name, new.enforce):
            review.trace.warn(text)


def _labels(namespace: Json) -> dict[str, str]:
    return (namespace["metadata"].get("labels") or {}) if namespace else {}


def _is_raised(new: LevelVersion, old: LevelVersion) -> bool:
    if new == old or new.level == "privileged":
        return False
    return new.minor != old.minor or new.strictness > old.strictness


def warnings(store: Store, namespace: str, level: LevelVersion) -> Iterator[str]:
    """Yield what is said of the pods that a level would not allow."""
    pods = [stored.object for stored in store.list(PODS, namespace=namespace)]
    checked = list(_by_priority(pods))[:MOST_PODS]
    if len(checked) < len(pods):
        yield ONLY_SOME.format(len(checked), len(pods))
    names: dict[str, list[str]] = {}
    for pod in checked:
        if violations := evaluation.violations(level, pod["metadata"], pod["spec"]):
            reasons = ", ".join(violation.reason for violation in violations)
            names.setdefault(reasons, []).append(pod["metadata"]["name"])
    if names:
        yield EXISTING_PODS_VIOLATE.format(go_quote(namespace), go_quote(str(level)))
    yield from sorted(f"{_with_others(pod_names)}: {reasons}" for reasons, pod_names in names.items())


def _by_priority(pods: list[Json]) -> Iterator[Json]:
    """Yield the pods, those last whose controller has one among them already."""
    controllers: set[str] = set()
    later: list[Json] = []
    for pod in pods:
        owners: Iterable[Json] = pod["metadata"].get("ownerReferences") or ()
        controller = next((owner["uid"] for owner in owners if owner.get("controller")), "")
        if controller in controllers:
            later.append(pod)
            continue
        if controller:
            controllers.add(controller)
        yield pod
    yield from later


def _with_others(names: list[str]) -> str:
    first, rest = min(names), len(names) - 1
    if not rest:
        return first
    return f"{first} (and {rest} other {'pod' if rest == 1 else 'pods'})"
