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
    return _through(
        action,
        _approved,
        validate_status=validation.approval,
        status_resets=(("spec",), ("status", "certificate")),
    )


def status(action: Action) -> Result | Steps[Result]:
    """Show a request, or write its certificate and what became of it."""
    return _through(action, _signed, validate_status=validation.status)


def _through(action: Action, amend: Callable[[str, Json, Json], Json], **more: Any) -> Result | Steps[Result]:
    """Answer for a kind whose status is written by other rules, and which notes the time."""
    now = metadata.timestamp(action.api.clock.now())
    strategy: Strategy = replace(action.kind.strategy, prepare_status=partial(amend, now), **more)
    return WRITES[action.info.verb](replace(action, kind=replace(action.kind, strategy=strategy)))


def _approved(now: str, new: Json, old: Json) -> Json:
    given = (new.get("status") or {}).get("conditions")
    kept = {name: value for name, value in (old.get("status") or {}).items() if name != "conditions"}
    conditions = {"conditions": _timed(now, given, old)} if given else {}
    return {**new, "status": {**kept, **conditions}}


def _signed(now: str, new: Json, old: Json) -> Json:
    given = (new.get("status") or {}).get("conditions")
    if not given:
        return new
    return {**new, "status": {**new["status"], "conditions": _timed(now, _verdicts_kept(given, old), old)}}


def _conditions(obj: Json) -> list[Json]:
    return (obj.get("status") or {}).get("conditions") or []


def _verdicts_kept(given: list[Json], old: Json) -> list[Json]:
    """Return conditions in which the verdicts are as they were, if there are as many of them."""
    for kind in validation.VERDICTS:
        before = [one for one in _conditions(old) if one.get("type") == kind]
        if len(before) == sum(one.get("type") == kind for one in given):
            rest = iter(before)
            given = [next(rest) if one.get("type") == kind else one for one in given]
    return given


def _timed(now: str, given: list[Json], old: Json) -> list[Json]:
    """Return conditions with the times that they do not say."""
    since = {(one.get("type"), one.get("status")): one.get("lastTransitionTime") for one in _conditions(old)}
    return [
        {
            **one,
            "lastUpdateTime": one.get("lastUpdateTime") or now,
            "lastTransitionTime": one.get("lastTransitionTime")
            or since.get((one.get("type"), one.get("status")))
            or now,
        }
        for one in given
    ]


VERBS: Mapping[tuple[str, str, str], Verb] = {
    (GROUP, PLURAL, "approval"): approval,
    (GROUP, PLURAL, "status"): status,
}
