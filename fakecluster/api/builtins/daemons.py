"""The counter of template changes that DaemonSets still carry as an annotation."""

from __future__ import annotations

from typing import Any

Json = Any
ANNOTATION = "deprecated.daemonset.template.generation"


def prepare(obj: Json) -> Json:
    """Start counting."""
    return _counted(obj, 1)


def prepare_update(new: Json, old: Json) -> Json:
    """Count a change of the template."""
    before = int(old["metadata"].get("annotations", {}).get(ANNOTATION, "0"))
    return _counted(new, before + (new["spec"]["template"] != old["spec"]["template"]))


def _counted(obj: Json, number: int) -> Json:
    annotations = {**obj["metadata"].get("annotations", {}), ANNOTATION: str(number)}
    return {**obj, "metadata": {**obj["metadata"], "annotations": annotations}}
