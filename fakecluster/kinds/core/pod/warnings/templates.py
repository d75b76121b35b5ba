"""The warnings of kinds that make pods of a template (FK-236)."""

from __future__ import annotations

from collections.abc import Callable

from .....base.json_types import Json
from .names import of_name
from .pod_spec import of_pod

Warn = Callable[[Json, Json], list[str]]
POD_NAMES = "Pod names and hostnames"


def generation(obj: Json) -> Json:
    """Return what changes with the spec of an object."""
    return obj["metadata"].get("generation")


def template(*, hostnames: bool = True, revision: Callable[[Json], Json] = generation) -> Warn:
    """Return the warnings of a kind with a template.

    hostnames: whether the kind's name is part of its pods' hostnames, and warned of.
    revision: what of an object differs after an update that is looked at.
    """

    def warn(new: Json, old: Json) -> list[str]:
        if old is not None and revision(new) == revision(old):
            return []
        name = of_name(new, POD_NAMES) if hostnames and old is None else ()
        return [*name, *of_template(new["spec"].get("template"), "spec.template")]

    return warn


def of_template(value: Json, path: str) -> list[str]:
    """Return the warnings of a template, which may be absent."""
    return list(of_pod(value.get("metadata") or {}, value.get("spec") or {}, f"{path}.")) if value else []


def replication_controller(new: Json, old: Json) -> list[str]:
    """Return the warnings of a ReplicationController.

    An update that changes it is warned of what stood in the template before: the real server takes the two
    for one another.
    """
    if old is None:
        return template()(new, None)
    return template(hostnames=False)({**new, "spec": old["spec"]}, old)


def pod_template(new: Json, old: Json) -> list[str]:
    """Return the warnings of a PodTemplate."""
    if old is not None and generation(new) == generation(old):
        return []
    return of_template(new.get("template"), "template")
