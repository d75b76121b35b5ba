"""Ephemeral containers, which are added to a pod that runs (FK-487)."""

from __future__ import annotations

from .....base.json_types import Json
from .....gotypes.golang import to_go_struct
from .....schema import fields
from ....specdiff import difference
from ....validation.basics import Errors
from . import containers
from .containers import PodContext

FORBIDDEN = (
    "ports",
    "resources",
    "resizePolicy",
    "restartPolicy",
    "restartPolicyRules",
    "livenessProbe",
    "readinessProbe",
    "startupProbe",
    "lifecycle",
)
NOT_EPHEMERAL = "cannot be set for an Ephemeral Container"


def judge(pod: PodContext, path: str) -> Errors:
    """Judge the ephemeral containers of a pod."""
    spec = pod.spec
    targets = {
        container["name"]
        for member in ("containers", "initContainers")
        for container in spec.get(member) or ()
    }
    # Their names must differ from all, but only regular and init containers can be targets.
    taken = set(targets)
    for number, container in enumerate(spec.get("ephemeralContainers") or ()):
        item_path = f"{path}.ephemeralContainers[{number}]"
        yield from containers.container(container, item_path, pod)
        yield from containers.only_of_pods(container, item_path)
        if container["name"] in taken:
            yield fields.duplicate(f"{item_path}.name", container["name"])
        taken.add(container["name"])
        target = container.get("targetContainerName", "")
        if target and target not in targets:
            yield fields.not_found(f"{item_path}.targetContainerName", target)
        yield from _plain(container, item_path)


def _plain(container: Json, path: str) -> Errors:
    for name in FORBIDDEN:
        # Fields, not values: an empty one says nothing and may stand.
        if container.get(name):
            yield fields.forbidden(f"{path}.{name}", NOT_EPHEMERAL)
    for number, mount in enumerate(container.get("volumeMounts") or ()):
        for name in ("subPath", "subPathExpr"):
            if mount.get(name):
                yield fields.forbidden(f"{path}.volumeMounts[{number}].{name}", NOT_EPHEMERAL)


def judge_update(new: Json, old: Json) -> Errors:
    """Judge an update of the ephemeral containers in a spec: they are added, and never changed."""
    path, containers = "spec.ephemeralContainers", new.get("ephemeralContainers") or []
    by_name = {container["name"]: container for container in containers}
    # Old ones in their order, so that the first that is missing is reported first.
    for container in old.get("ephemeralContainers") or ():
        name = fields.go_quote(container["name"])
        other = by_name.get(container["name"])
        if other is None:
            yield fields.forbidden(path, f"existing ephemeral containers {name} may not be removed\n")
        elif other != container:
            # The message shows both as Go's cmp.Diff prints them.
            diff = difference(
                *(to_go_struct("core.v1.EphemeralContainer", item) for item in (container, other))
            )
            yield fields.forbidden(path, f"existing ephemeral containers {name} may not be changed\n{diff}")
