"""Annotations of a Node that stand for fields: taints, and pods to keep away (FK-498)."""

from __future__ import annotations

from collections.abc import Callable

import orjson

from ...base.json_types import Json
from ...codec.json import gojson
from ...gotypes.scalars import json_type
from ...schema import fields
from ..validation.basics import Errors

PATH = "metadata.annotations"
TAINTS = "scheduler.alpha.kubernetes.io/taints"
AVOIDED_PODS = "scheduler.alpha.kubernetes.io/preferAvoidPods"


def node_annotation_errors(
    annotations: dict[str, str], taint_errors: Callable[[list[Json], str], Errors]
) -> Errors:
    """Judge the annotations of a Node; `taint_errors` judges a list of taints at its path."""
    if text := annotations.get(TAINTS):
        if problem := _problem(text, list, "[]core.Taint"):
            yield fields.invalid(PATH, TAINTS, problem)
        else:
            yield from taint_errors(orjson.loads(text) or [], f"{PATH}.{TAINTS}")
    if text := annotations.get(AVOIDED_PODS):
        if problem := _problem(text, dict, "v1.AvoidPods"):
            yield fields.invalid(f"{PATH}.AvoidPods", AVOIDED_PODS, problem)
        else:
            yield from _pods_to_avoid((orjson.loads(text) or {}).get("preferAvoidPods") or [])


def _problem(text: str, expected: type, go_type: str) -> str:
    """Return why a text cannot be read; empty when it can."""
    if problem := gojson.problem(text.encode()):
        return problem
    value = orjson.loads(text)
    if value is None or isinstance(value, expected):
        return ""
    return f"json: cannot unmarshal {json_type(value)} into Go value of type {go_type}"


def _pods_to_avoid(entries: list[Json]) -> Errors:
    for number, entry in enumerate(entries):
        path = f"{PATH}.{AVOIDED_PODS}[{number}].PodSignature"
        controller = (entry.get("podSignature") or {}).get("podController")
        if controller is None:
            yield fields.required(path)
        elif not controller.get("controller"):
            yield fields.invalid(f"{path}.PodController.Controller", False, "must point to a controller")
