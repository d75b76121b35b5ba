"""Validation of an object: its metadata, then the rules of its kind (FK-060)."""

from __future__ import annotations

from ....api import status
from ....api.admission import Review
from ....api.kind import STATUS_LIKE, Kind, Strategy, Warnings
from ....api.steps import Steps
from ....base.json_types import Json
from ....meta import metadata, objectmeta
from ....schema import fields
from ....schema.fields import FieldError
from ...action import Action


def check_new(action: Action, review: Review, new: Json) -> Steps[None]:
    """Check an object that is about to be created, and warn of doubtful values that are accepted.

    Raises 422.
    """
    kind = action.kind
    errors = yield from action.compute(_errors_of_new, action, new)
    # Some errors are of rights, which come in front of those of validation.
    if errors := action.admission.permit(review, new, errors):
        raise status.invalid_object(kind, new["metadata"].get("name", ""), errors)
    if warnings := _warnings_of(action):
        yield from action.compute(_warn_of_doubts, action, warnings, new, None)


def _errors_of_new(action: Action, new: Json) -> list[FieldError]:
    kind = action.kind
    _check_type(kind, new)
    # Warnings do not depend on whether there are errors.
    _warn(action, new, [])
    rules = [rule for rule in (kind.strategy.validate, kind.strategy.validate_new) if rule]
    grant = kind.strategy.check_allocation_dry_run if action.trace.dry_run else kind.strategy.check_allocation
    if grant and not action.info.subresource:
        rules.append(grant)
    return [*objectmeta.of_new(new["metadata"], kind), *(error for rule in rules for error in rule(new))]


def check_update(action: Action, review: Review, new: Json, old: Json) -> Steps[None]:
    """Check an object that is about to replace another. Raises 422."""
    errors = yield from action.compute(_errors_of_update, action, new, old)
    if errors := action.admission.permit(review, new, errors):
        raise status.invalid_object(action.kind, new["metadata"].get("name", ""), errors)
    # Warnings of built-in kinds come only with a write that is accepted.
    if not action.kind.custom and (warnings := _warnings_of(action)):
        yield from action.compute(_warn_of_doubts, action, warnings, new, old)


def _errors_of_update(action: Action, new: Json, old: Json) -> list[FieldError]:
    kind = action.kind
    _check_type(kind, new)
    _warn(action, new, metadata.finalizers_of(old))
    # Those of custom resources come in either case.
    if kind.custom and (warnings := _warnings_of(action)):
        _warn_of_doubts(action, warnings, new, old)
    of_status = action.info.subresource in STATUS_LIKE
    errors = objectmeta.of_update(new, old, kind, of_status=of_status)
    # /status is judged by the rules of the status alone, where the kind has some.
    if of_status and kind.strategy.validate_status:
        return [*errors, *kind.strategy.validate_status(new, old)]
    return [*errors, *_violations(kind.strategy, new, old)]


def _violations(strategy: Strategy, new: Json, old: Json) -> list[FieldError]:
    """Return what the rules of a kind have against an update."""
    # A kind with a judge of its own decides itself which rules come first.
    if strategy.judge_update:
        return strategy.judge_update(new, old)
    errors = strategy.validate(new) if strategy.validate else []
    return [*errors, *(strategy.validate_update(new, old) if strategy.validate_update else [])]


def _check_type(kind: Kind, new: Json) -> None:
    """Check the apiVersion and kind of a custom resource. Raises 422, under the kind it claims to be."""
    kind_name, version = new["kind"], new.get("apiVersion") or ""
    if not kind.custom or (kind_name, version) == (kind.kind, kind.api_version):
        return
    pairs = (("kind", kind_name, kind.kind), ("apiVersion", version, kind.api_version))
    errors = [
        fields.invalid(name, actual, f"must be {expected}")
        for name, actual, expected in pairs
        if actual != expected
    ]
    raise status.invalid(kind_name, version.rpartition("/")[0], new["metadata"].get("name", ""), errors)


def _warnings_of(action: Action) -> Warnings | None:
    """Return what words the doubtful values of a write that are accepted."""
    is_status = action.info.subresource in STATUS_LIKE and not action.kind.custom
    return action.kind.strategy.status_warnings if is_status else action.kind.strategy.warnings


def _warn_of_doubts(action: Action, warnings: Warnings, new: Json, old: Json) -> None:
    for text in warnings(new, old):
        action.warn(text)


def _warn(action: Action, new: Json, before: list[str]) -> None:
    if action.kind.custom:
        for text in metadata.finalizer_warnings(metadata.finalizers_of(new), before):
            action.warn(text)
