"""Subresources that show a Pod and change one part of it: ephemeralcontainers and resize (FK-487)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ....api import status
from ....api.kind import Amend, ValidateUpdate
from ....api.steps import Steps
from ....base.json_types import Json
from ....base.lazy_modules import LazyModule
from ....registry.action import Action, Result, Verb
from ....registry.verbs.patches import patching
from ....registry.verbs.reads import reading
from ....registry.verbs.writes import updating
from ....schema.fields import FieldError

if TYPE_CHECKING:
    from .validation import ephemeral_containers, pod, resize
else:
    ephemeral_containers = LazyModule(".validation.ephemeral_containers", __package__)
    pod = LazyModule(".validation.pod", __package__)
    resize = LazyModule(".validation.resize", __package__)

METADATA = ("labels", "annotations", "finalizers", "ownerReferences", "deletionTimestamp")
"""What stays as it was of a pod whose containers are written."""
VERBS_OF: Mapping[str, Verb] = {"GET": reading.get, "PUT": updating.update, "PATCH": patching.patch}


def view(amend: Amend, judge: ValidateUpdate) -> Verb:
    """Return the verb of a subresource: `part` takes over
    what it changes, `judge` says whether that is allowed.
    """

    def answer(action: Action) -> Result | Steps[Result]:
        verb = VERBS_OF.get(action.request.method)
        if verb is None:
            raise status.method_not_allowed()
        strategy = replace(action.kind.strategy, prepare_update=amend, judge_update=judge)
        return verb(replace(action, kind=replace(action.kind, strategy=strategy)))

    return answer


def _with_ephemeral(new: Json, old: Json) -> Json:
    containers = new["spec"].get("ephemeralContainers")
    rest_of_spec = {name: value for name, value in old["spec"].items() if name != "ephemeralContainers"}
    return {
        **new,
        "metadata": _metadata(new["metadata"], old["metadata"]),
        "spec": {**rest_of_spec, **({"ephemeralContainers": containers} if containers else {})},
        "status": old["status"],
    }


def _metadata(new: Json, old: Json) -> Json:
    metadata = {name: old[name] for name in METADATA if name in old}
    return {name: value for name, value in new.items() if name not in METADATA} | metadata


def _judge_ephemeral(after: Json, before: Json) -> list[FieldError]:
    return [*pod.judge(after), *ephemeral_containers.judge_update(after["spec"], before["spec"])]


def _with_resources(new: Json, old: Json) -> Json:
    """Return a pod with new resources; one whose containers are others is left to be refused."""
    spec = dict(old["spec"])
    pairs = {
        name: (new["spec"].get(name) or [], spec.get(name) or []) for name in ("containers", "initContainers")
    }
    if any(len(after) != len(before) for after, before in pairs.values()):
        return new
    for name, (after, before) in pairs.items():
        if not before:
            continue
        alike = all(
            container["name"] == other["name"] for container, other in zip(after, before, strict=True)
        )
        spec[name] = (
            [_with_resources_of(*pair) for pair in zip(after, before, strict=True)] if alike else after
        )
    metadata = _metadata(new["metadata"], old["metadata"])
    return {**new, "metadata": metadata, "spec": spec, "status": old["status"]}


def _with_resources_of(container: Json, old: Json) -> Json:
    without_resources = {
        name: value for name, value in old.items() if name not in {"resources", "resizePolicy"}
    }
    return {
        **without_resources,
        **{name: container[name] for name in ("resources", "resizePolicy") if name in container},
    }


VERBS: Mapping[tuple[str, str, str], Verb] = {
    ("", "pods", "ephemeralcontainers"): view(_with_ephemeral, _judge_ephemeral),
    ("", "pods", "resize"): view(_with_resources, resize.judge_update),
}
