"""Which pods and claims the scopes of a quota speak of (FK-504)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ...base.json_types import Json
from ...kinds.core.pod.strategy import qos_class

AFFINITIES = ("podAffinity", "podAntiAffinity")
TERMS = "requiredDuringSchedulingIgnoredDuringExecution"
PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"


def covers(quota: Json, group: str, plural: str, obj: Json) -> bool:
    """Whether an object is what every scope of a quota speaks of; other kinds than these have no scopes."""
    asked = list(_asked(quota.get("spec") or {}))
    known = OF.get((group, plural), {})
    return all(one["scopeName"] in known and known[one["scopeName"]](obj, one) for one in asked)


def _asked(spec: Json) -> Iterator[Json]:
    for name in spec.get("scopes") or ():
        yield {"scopeName": name, "operator": "Exists"}
    yield from (spec.get("scopeSelector") or {}).get("matchExpressions") or ()


def _holds(value: str, asked: Json) -> bool:
    operator, values = asked.get("operator"), asked.get("values") or ()
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
        found = affinity.get(kind) or {}
        preferred = [one.get("podAffinityTerm") or {} for one in found.get(PREFERRED) or ()]
        if any(
            one.get("namespaces") or one.get("namespaceSelector") is not None
            for one in (*(found.get(TERMS) or ()), *preferred)
        ):
            return True
    return False


OF: Mapping[tuple[str, str], Mapping[str, Callable[[Json, Json], bool]]] = {
    ("", "pods"): {
        "Terminating": lambda pod, _: _ends(pod),
        "NotTerminating": lambda pod, _: not _ends(pod),
        "BestEffort": lambda pod, _: _best_effort(pod),
        "NotBestEffort": lambda pod, _: not _best_effort(pod),
        "PriorityClass": lambda pod, asked: _holds(pod["spec"].get("priorityClassName", ""), asked),
        "CrossNamespacePodAffinity": lambda pod, _: _elsewhere(pod),
    },
    ("", "persistentvolumeclaims"): {
        "VolumeAttributesClass": lambda claim, asked: _holds(
            claim["spec"].get("volumeAttributesClassName") or "", asked
        ),
    },
}
