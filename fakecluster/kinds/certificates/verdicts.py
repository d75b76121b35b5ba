"""The two halves of a signing request's status:
approvers write the verdict, signers the certificate (FK-495).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from msgspec.structs import replace

from ...api.kind import Strategy
from ...api.steps import Steps
from ...base.json_types import Json
from ...meta import metadata
from ...registry.action import Action, Result, Verb
from ...registry.verbs.patches.patching import patch
from ...registry.verbs.reads import reading
from ...registry.verbs.writes import updating
from . import validation

GROUP, PLURAL = "certificates.k8s.io", "certificatesigningrequests"
WRITES: Mapping[str, Verb] = {"get": reading.get, "update": updating.update, "patch": patch}


def approval(action: Action) -> Result | Steps[Result]:
    """Show a request, or write its conditions."""
    return _write_with(
        action,
        _approve,
        validate_status=validation.approval,
        status_resets=(("spec",), ("status", "certificate")),
    )


def status(action: Action) -> Result | Steps[Result]:
    """Show a request, or write its certificate and what became of it."""
    return _write_with(action, _sign, validate_status=validation.status)


def _write_with(
    action: Action, amend: Callable[[str, Json, Json], Json], **options: Any
) -> Result | Steps[Result]:
    """Answer for a kind whose status is written by other rules, and which notes the time."""
    current_time = metadata.timestamp(action.api.clock.now())
    strategy: Strategy = replace(action.kind.strategy, prepare_status=partial(amend, current_time), **options)
    return WRITES[action.info.verb](replace(action, kind=replace(action.kind, strategy=strategy)))


def _approve(current_time: str, new: Json, old: Json) -> Json:
    conditions = (new.get("status") or {}).get("conditions")
    status = {name: value for name, value in (old.get("status") or {}).items() if name != "conditions"}
    if conditions:
        status["conditions"] = _with_condition_times(current_time, conditions, old)
    return {**new, "status": status}


def _sign(current_time: str, new: Json, old: Json) -> Json:
    conditions = (new.get("status") or {}).get("conditions")
    if not conditions:
        return new
    return {
        **new,
        "status": {
            **new["status"],
            "conditions": _with_condition_times(current_time, _verdicts_kept(conditions, old), old),
        },
    }


def _conditions(obj: Json) -> list[Json]:
    return (obj.get("status") or {}).get("conditions") or []


def _verdicts_kept(conditions: list[Json], old: Json) -> list[Json]:
    """Return conditions with the old verdicts in place of new ones, where both have as many."""
    for kind in validation.APPROVAL_CONDITIONS:
        before = [condition for condition in _conditions(old) if condition.get("type") == kind]
        if len(before) == sum(condition.get("type") == kind for condition in conditions):
            rest = iter(before)
            conditions = [
                next(rest) if condition.get("type") == kind else condition for condition in conditions
            ]
    return conditions


def _with_condition_times(current_time: str, conditions: list[Json], old: Json) -> list[Json]:
    """Return conditions with the times that they do not say."""
    since = {
        (condition.get("type"), condition.get("status")): condition.get("lastTransitionTime")
        for condition in _conditions(old)
    }
    return [
        {
            **condition,
            "lastUpdateTime": condition.get("lastUpdateTime") or current_time,
            "lastTransitionTime": condition.get("lastTransitionTime")
            or since.get((condition.get("type"), condition.get("status")))
            or current_time,
        }
        for condition in conditions
    ]


VERBS: Mapping[tuple[str, str, str], Verb] = {
    (GROUP, PLURAL, "approval"): approval,
    (GROUP, PLURAL, "status"): status,
}
