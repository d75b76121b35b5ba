"""Which pods and claims the scopes of a quota speak of (FK-504)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ...base.json_types import Json
from ...kinds.core.pod.strategy import qos_class

AFFINITIES = ("podAffinity", "podAntiAffinity")
REQUIRED_TERMS = "requiredDuringSchedulingIgnoredDuringExecution"
PREFERRED_TERMS = "preferredDuringSchedulingIgnoredDuringExecution"


def covers(quota: Json, group: str, plural: str, obj: Json) -> bool:
    """Whether an object is what every scope of a quota speaks of; other kinds than these have no scopes."""
    selectors = list(_selectors(quota.get("spec") or {}))
    matchers = SCOPE_TESTS.get((group, plural), {})
    return all(
        selector["scopeName"] in matchers and matchers[selector["scopeName"]](obj, selector)
        for selector in selectors
    )


def _selectors(spec: Json) -> Iterator[Json]:
    for name in spec.get("scopes") or ():
        yield {"scopeName": name, "operator": "Exists"}
    yield from (spec.get("scopeSelector") or {}).get("matchExpressions") or ()


def _holds(value: str, selector: Json) -> bool:
    operator, values = selector.get("operator"), selector.get("values") or ()
    if operator in {"In", "NotIn"}:
        return bool((value in values) is (operator == "In"))
    return bool(bool(value) is (operator == "Exists"))


def _ends(pod: Json) -> bool:
    return pod["spec"].get("activeDeadlineSeconds") is not None


def _best_effort(pod: Json) -> bool:
    return qos_class(pod["spec"]) == "BestEffort"


def _elsewhere(pod: Json) -> bool:
    """Whether a pod looks at pods of other namespaces."""
    affinity = pod["spec"].get("affinity") or {}
    for kind in AFFINITIES:
        terms = affinity.get(kind) or {}
        preferred = [
            weighted_term.get("podAffinityTerm") or {} for weighted_term in terms.get(PREFERRED_TERMS) or ()
        ]
        if any(
            term.get("namespaces") or term.get("namespaceSelector") is not None
            for term in (*(terms.get(REQUIRED_TERMS) or ()), *preferred)
        ):
            return True
    return False


SCOPE_TESTS: Mapping[tuple[str, str], Mapping[str, Callable[[Json, Json], bool]]] = {
    ("", "pods"): {
        "Terminating": lambda pod, _: _ends(pod),
        "NotTerminating": lambda pod, _: not _ends(pod),
        "BestEffort": lambda pod, _: _best_effort(pod),
        "NotBestEffort": lambda pod, _: not _best_effort(pod),
        "PriorityClass": lambda pod, selector: _holds(pod["spec"].get("priorityClassName", ""), selector),
        "CrossNamespacePodAffinity": lambda pod, _: _elsewhere(pod),
    },
    ("", "persistentvolumeclaims"): {
        "VolumeAttributesClass": lambda claim, selector: _holds(
            claim["spec"].get("volumeAttributesClassName") or "", selector
        ),
    },
}
