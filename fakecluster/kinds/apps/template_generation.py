"""The counter of template changes that DaemonSets still carry as an annotation."""

from __future__ import annotations

from ...api import status
from ...base.json_types import Json
from ...base.numbers.integers import NumberError, parse_int

GENERATION_REFUSAL = 'DaemonSet in version "v1" cannot be handled as a DaemonSet: {}'
ANNOTATION = "deprecated.daemonset.template.generation"


def prepare(obj: Json) -> Json:
    """Start counting. Raises 400 for an annotation that is no number."""
    return _with_generation(obj, max(_count(obj), 1))


def prepare_update(new: Json, old: Json) -> Json:
    """Count a change of the template. Raises 400 for an annotation that is no number."""
    _count(new)
    return _with_generation(new, _count(old) + (new["spec"]["template"] != old["spec"]["template"]))


def prepare_status(new: Json, old: Json) -> Json:
    """Keep the count, which /status does not change."""
    return _with_generation(new, _count(old))


def generation(obj: Json) -> Json:
    """Return the count of an object, as its annotation has it."""
    return obj["metadata"].get("annotations", {}).get(ANNOTATION)


def _count(obj: Json) -> int:
    try:
        return parse_int(obj["metadata"].get("annotations", {}).get(ANNOTATION, "0"))
    except NumberError as error:
        raise status.bad_request(GENERATION_REFUSAL.format(error)) from error


def _with_generation(obj: Json, number: int) -> Json:
    annotations = {**obj["metadata"].get("annotations", {}), ANNOTATION: str(number)}
    return {**obj, "metadata": {**obj["metadata"], "annotations": annotations}}
