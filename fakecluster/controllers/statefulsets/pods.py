"""The pods of a StatefulSet: what one looks like at a revision, and how those that exist are sorted."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ...base.json_types import Json
from ..pod_state import is_available, is_deleted
from ..pod_templates import pod_of
from ..revisions import REVISION_HASH, with_template_of
from . import identity


class Replicas(Struct, frozen=True):
    """The pods of a set: those that it should have by their ordinals, and those to remove, the last first."""

    in_range: dict[int, Json]
    condemned: tuple[Json, ...]

    @property
    def every(self) -> tuple[Json, ...]:
        """All of them."""
        return (*self.in_range.values(), *self.condemned)


class SetRevisions(Struct, frozen=True):
    """A set at its current and at its update revision."""

    current: Json
    update: Json
    current_name: str
    update_name: str


def template_of(stateful_set: Json, current: Json, update: Json) -> SetRevisions:
    """Return a set at two revisions."""
    return SetRevisions(
        with_template_of(stateful_set, current),
        with_template_of(stateful_set, update),
        current["metadata"]["name"],
        update["metadata"]["name"],
    )


def sort(stateful_set: Json, pods: Sequence[Json]) -> Replicas:
    """Return the pods of a set, those that should be there and the others;
    one without an ordinal counts for neither.
    """
    places = identity.ordinals(stateful_set)
    numbered = [(ordinal, pod) for pod in pods if (ordinal := identity.ordinal_of(pod)) >= 0]
    numbered.sort(key=lambda pair: pair[0])
    # From the last down, the order in which they are removed.
    return Replicas(
        {ordinal: pod for ordinal, pod in numbered if ordinal in places},
        tuple(pod for ordinal, pod in reversed(numbered) if ordinal not in places),
    )


def new(template: SetRevisions, ordinal: int) -> Json:
    """Return the pod of an ordinal, at the revision that it should have."""
    # Below the partition the old template stays, also for pods that are replaced.
    if _is_kept_current(template.current, ordinal):
        return _new(template.current, ordinal, template.current_name)
    return _new(template.update, ordinal, template.update_name)


def revision_of(pod: Json) -> str:
    """Return the name of a pod's revision."""
    return str((pod["metadata"].get("labels") or {}).get(REVISION_HASH, ""))


def is_unavailable(pod: Json, min_ready: float, current_time: float) -> bool:
    """Tell whether a pod is not available or goes."""
    return is_deleted(pod) or not is_available(pod, min_ready, current_time)


def _is_kept_current(stateful_set: Json, ordinal: int) -> bool:
    """Tell whether a pod is created at the current revision, as those below the partition are."""
    strategy = stateful_set["spec"].get("updateStrategy") or {}
    start, rolling = identity.ordinals(stateful_set).start, strategy.get("rollingUpdate")
    # With a partition the status has no say.
    if rolling is not None:
        return ordinal < start + int(rolling.get("partition") or 0)
    current = stateful_set.get("status", {}).get("currentReplicas", 0)
    return bool(strategy.get("type") == "RollingUpdate" and ordinal < start + current)


def _new(stateful_set: Json, ordinal: int, revision: str) -> Json:
    pod, name = (
        pod_of(stateful_set, stateful_set["spec"]["template"]),
        identity.pod_name(stateful_set, ordinal),
    )
    labels = {**pod["metadata"]["labels"], **identity.labels(stateful_set, ordinal), REVISION_HASH: revision}
    spec = {
        **pod["spec"],
        "hostname": name,
        "volumes": identity.volumes(stateful_set, ordinal, pod["spec"].get("volumes") or ()),
    }
    # Only with a Service of its name is a pod reachable by a name below it.
    if service := stateful_set["spec"].get("serviceName"):
        spec["subdomain"] = service
    return {**pod, "metadata": {**pod["metadata"], "name": name, "labels": labels}, "spec": spec}
