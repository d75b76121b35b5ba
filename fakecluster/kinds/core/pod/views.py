"""Subresources that show a Pod and change one part of it: ephemeralcontainers and resize (FK-487)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from ....api import status
from ....api.kind import Amend, ValidateUpdate
from ....api.steps import Steps
from ....gotypes.golang import shown
from ....registry.action import Action, Result, Verb
from ....registry.verbs.patches import patching
from ....registry.verbs.reads import reading
from ....registry.verbs.writes import updating
from ....schema import fields
from ....schema.fields import FieldError
from ...specdiff import difference
from .strategy import qos_class
from .validation import containers

Json = Any
NOT_EPHEMERAL = ("ports", "livenessProbe", "readinessProbe", "startupProbe", "lifecycle", "resources")
RESIZABLE = frozenset({"cpu", "memory"})
VERBS_OF: Mapping[str, Verb] = {"GET": reading.get, "PUT": updating.update, "PATCH": patching.patch}


def view(part: Amend, judge: ValidateUpdate) -> Verb:
    """Return the verb of a subresource: `part` takes over what it changes, `judge` says whether that is
    allowed.
    """

    def answer(action: Action) -> Result | Steps[Result]:
        verb = VERBS_OF.get(action.request.method)
        if verb is None:
            raise status.method_not_allowed()
        strategy = replace(action.kind.strategy, prepare_update=part, validate=None, validate_update=judge)
        return verb(replace(action, kind=replace(action.kind, strategy=strategy)))

    return answer


def _with_ephemeral(new: Json, old: Json) -> Json:
    given = new["spec"].get("ephemeralContainers")
    kept = {name: value for name, value in old["spec"].items() if name != "ephemeralContainers"}
    return {
        **new,
        "spec": {**kept, **({"ephemeralContainers": given} if given else {})},
        "status": old["status"],
    }


def _judge_ephemeral(new: Json, old: Json) -> list[FieldError]:
    path, found = "spec.ephemeralContainers", new["spec"].get("ephemeralContainers") or []
    volumes = [one["name"] for one in new["spec"].get("volumes") or ()]
    errors = [
        error for n, one in enumerate(found) for error in containers.container(one, f"{path}[{n}]", volumes)
    ]
    for number, one in enumerate(found):
        errors += [
            fields.forbidden(f"{path}[{number}].{name}", "cannot be set for an Ephemeral Container")
            for name in NOT_EPHEMERAL
            if one.get(name)
        ]
    by_name = {container["name"]: container for container in reversed(found)}
    for before in old["spec"].get("ephemeralContainers") or ():
        after = by_name.get(before["name"])
        if after is None:
            errors.append(
                fields.forbidden(
                    path, f"existing ephemeral containers {_quoted(before)} may not be removed\n"
                )
            )
        elif before != after:
            told = difference(*(shown("core.v1.EphemeralContainer", one) for one in (before, after)))
            why = f"existing ephemeral containers {_quoted(before)} may not be changed\n{told}"
            errors.append(fields.forbidden(path, why))
    return errors


def _quoted(container: Json) -> str:
    return f'"{container["name"]}"'


def _with_resources(new: Json, old: Json) -> Json:
    spec = dict(old["spec"])
    for member in ("containers", "initContainers"):
        given = {one["name"]: one for one in new["spec"].get(member) or ()}
        if spec.get(member):
            spec[member] = [_resized(one, given.get(one["name"], one)) for one in spec[member]]
    return {**new, "spec": spec, "status": old["status"]}


def _resized(container: Json, given: Json) -> Json:
    return {**container, **{name: given[name] for name in ("resources", "resizePolicy") if name in given}}


def _judge_resize(new: Json, old: Json) -> list[FieldError]:
    if _others(new) != _others(old):
        return [fields.forbidden("spec", "only cpu and memory resources are mutable")]
    before = old["status"].get("qosClass", "")
    if qos_class(new["spec"]) != before:
        return [fields.invalid("spec", before, "Pod QOS Class may not change as a result of resizing")]
    return []


def _others(pod: Json) -> Json:
    """Return the amounts that a resize may not touch."""
    return [
        {
            name: amount
            for name, amount in (one.get("resources") or {}).get(side, {}).items()
            if name not in RESIZABLE
        }
        for member in ("containers", "initContainers")
        for one in pod["spec"].get(member) or ()
        for side in ("limits", "requests")
    ]


VERBS: Mapping[tuple[str, str, str], Verb] = {
    ("", "pods", "ephemeralcontainers"): view(_with_ephemeral, _judge_ephemeral),
    ("", "pods", "resize"): view(_with_resources, _judge_resize),
}
