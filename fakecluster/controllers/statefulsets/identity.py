"""Names and numbers of what belongs to a StatefulSet: its pods by their ordinals, their volume claims."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...base.json_types import Json
from ...base.numbers.integers import fits

POD_NAME = re.compile(r"(.*)-([0-9]+)", re.ASCII)
# Both labels: one to select a single pod by a Service, one that sorts.
NAME_LABEL, INDEX_LABEL = "statefulset.kubernetes.io/pod-name", "apps.kubernetes.io/pod-index"
NO_ORDINAL = -1


def parent_and_ordinal(pod: Json) -> tuple[str, int]:
    """Return the name of a pod's set, empty when the pod's name has none, and its ordinal."""
    match = POD_NAME.fullmatch(pod["metadata"]["name"])
    if match is None:
        return "", NO_ORDINAL
    # A number that int32 does not hold is no ordinal to Go's ParseInt.
    return match[1], int(match[2]) if fits(match[2], 32) else NO_ORDINAL


def ordinal_of(pod: Json) -> int:
    """Return the ordinal of a pod, NO_ORDINAL when it has none."""
    return parent_and_ordinal(pod)[1]


def is_member(stateful_set: Json, pod: Json) -> bool:
    """Tell whether a pod has a name of a set."""
    return bool(parent_and_ordinal(pod)[0] == stateful_set["metadata"]["name"])


def ordinals(stateful_set: Json) -> range:
    """Return the ordinals that a set should have."""
    start = int((stateful_set["spec"].get("ordinals") or {}).get("start", 0))
    return range(start, start + int(stateful_set["spec"]["replicas"]))


def pod_name(stateful_set: Json, ordinal: int) -> str:
    """Return the name of the pod of an ordinal."""
    return f"{stateful_set['metadata']['name']}-{ordinal}"


def labels(stateful_set: Json, ordinal: int) -> dict[str, str]:
    """Return the labels by which a pod is known."""
    return {NAME_LABEL: pod_name(stateful_set, ordinal), INDEX_LABEL: str(ordinal)}


def claim_names(stateful_set: Json, ordinal: int) -> dict[str, str]:
    """Return the names of a pod's volume claims by those of their templates."""
    templates = stateful_set["spec"].get("volumeClaimTemplates") or ()
    names = (template["metadata"]["name"] for template in templates)
    return {name: f"{name}-{stateful_set['metadata']['name']}-{ordinal}" for name in names}


def volumes(stateful_set: Json, ordinal: int, template_volumes: Iterable[Json]) -> list[Json]:
    """Return the volumes of a pod: its claims, and what its template has beside them."""
    claims = claim_names(stateful_set, ordinal)
    # The claims come first and hide volumes of the template that have their names.
    own = [{"name": name, "persistentVolumeClaim": {"claimName": claim}} for name, claim in claims.items()]
    return [*own, *(volume for volume in template_volumes if volume["name"] not in claims)]


def has_identity(pod: Json) -> bool:
    """Tell whether a pod is labelled with its name."""
    return bool((pod["metadata"].get("labels") or {}).get(NAME_LABEL) == pod["metadata"]["name"])


def has_storage(stateful_set: Json, pod: Json) -> bool:
    """Tell whether a pod mounts its claims."""
    mounted = {
        volume["name"]: (volume.get("persistentVolumeClaim") or {}).get("claimName")
        for volume in pod["spec"].get("volumes") or ()
    }
    claims = claim_names(stateful_set, ordinal_of(pod))
    return all(mounted.get(name) == claim for name, claim in claims.items())
