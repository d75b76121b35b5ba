"""The next steps for the provisioning checks of a Workload: a pure function of a snapshot (PA-030…035)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from reference_impl.api.resource import Json
from reference_impl.checks.entries import PENDING, READY, REJECTED, RETRY
from reference_impl.workload.view import Workload

from . import fitting, making, states
from .need import InconsistentError
from .request import BOOKING_EXPIRED, FAILED, Request
from .rules import ProvisioningRules, Situation
from .snapshot import Asked, Check, WorkloadSnapshot
from .steps import Change, DeleteRequest, Fail, HandOver, Step, TellChecks, WriteChecks
from .templates import OwnedByAnotherError

NOTHING: Final[tuple[Step, ...]] = ()


def decide(snapshot: WorkloadSnapshot, rules: ProvisioningRules) -> tuple[Step, ...]:
    """Return the steps, in this order: answers, deletions, creations, changes of owners."""
    workload = snapshot.workload
    if workload.finished or (workload.evicted and rules.cleans_on_eviction):
        return tuple(DeleteRequest(each) for each in snapshot.requests)
    if workload.evicted or not workload.reserved or rules.leaves_alone(workload):
        return NOTHING
    if bad := rules.blocked(snapshot.checks):
        return (Fail(bad),)
    try:
        found = tuple(asked(snapshot, check, rules) for check in snapshot.checks)
    except InconsistentError as error:
        return (Fail(str(error)),)
    entries = answers(snapshot, found, rules)
    complete = len(entries) == len(found)
    steps: list[Step] = [*(written if complete else rules.incomplete)(snapshot, entries, rules)]
    chosen = {each.request.name for each in found if each.request is not None}
    steps += [DeleteRequest(each) for each in snapshot.requests if each.name not in chosen]
    stored = {
        entry["name"]: entry for step in steps if isinstance(step, WriteChecks) for entry in step.entries
    }
    for each in found:
        entry = stored.get(each.check.name, each.check.entry)
        steps += _made(snapshot, replace(each, check=replace(each.check, entry=entry)), rules)
    return tuple(steps)


def asked(snapshot: WorkloadSnapshot, check: Check, rules: ProvisioningRules) -> Asked:
    """Return the wanted podSets of a check, and its current request. Raises InconsistentError."""
    wanted = () if check.config is None else rules.wanted(snapshot.workload, check.config.managed)
    found = fitting.active(snapshot, check, wanted, rules)
    return Asked(check, wanted) if found is None else Asked(check, wanted, *found)


def answers(
    snapshot: WorkloadSnapshot, every: tuple[Asked, ...], rules: ProvisioningRules
) -> Mapping[str, Json]:
    """Return the new entries by check; those of checks without a request are missing."""
    found: dict[str, Json] = {}
    for each in every:
        entry = _answer(snapshot, each, rules)
        if entry is not None:
            found[each.check.name] = rules.fitted(rules.explained(rules.tidied(entry)))
    return found


def _answer(snapshot: WorkloadSnapshot, one: Asked, rules: ProvisioningRules) -> Json | None:
    check, config = one.check, one.check.config
    if rules.silent(check):
        return check.entry
    if config is None:
        return rules.inactive(snapshot, check)
    if not one.wanted:
        return states.not_needed(check.entry)
    if one.request is None:
        found_room = check.state == PENDING and not rules.asks_for(snapshot.workload)
        return states.not_needed(check.entry) if found_room else None
    situation = Situation(
        workload=snapshot.workload,
        check=check,
        config=config,
        request=one.request,
        attempt=one.attempt,
        wanted=one.wanted,
        rules=rules,
        now=snapshot.now,
        jitter=snapshot.jitter,
    )
    said = (rule(situation) for rule in rules.states)
    return next((entry for entry in said if entry is not None), check.entry)


def written(
    snapshot: WorkloadSnapshot, entries: Mapping[str, Json], rules: ProvisioningRules
) -> Iterator[Step]:
    """Write all answers when one of them is another, with the changes of state (PA-155, PA-157)."""
    present = snapshot.workload.checks.entries
    new = tuple(rules.timed(each, entries.get(each["name"], each), snapshot.now) for each in present)
    if new != present:
        yield WriteChecks(new, _changes(present, new))


def told_only(
    snapshot: WorkloadSnapshot, entries: Mapping[str, Json], _rules: ProvisioningRules
) -> Iterator[Step]:
    """Write nothing while some check has no request yet, but tell of what was not written (PA-072)."""
    present = snapshot.workload.checks.entries
    changes = _changes(present, [entries.get(each["name"], each) for each in present])
    if changes:
        yield TellChecks(changes)


def _changes(present: Iterable[Json], new: Iterable[Json]) -> tuple[Change, ...]:
    return tuple(
        Change(after["name"], before["state"], after["state"], after["message"])
        for before, after in zip(present, new, strict=True)
        if before["state"] != after["state"]
    )


def _made(snapshot: WorkloadSnapshot, one: Asked, rules: ProvisioningRules) -> Iterator[Step]:
    """Make the request that is missing, or see to the templates of the one that is there."""
    if one.check.config is None or not one.wanted or one.check.state == READY or rules.silent(one.check):
        return
    attempt = rules.attempt(snapshot, one, rules)
    if attempt is not None and rules.asks_for(snapshot.workload):
        yield making.request(snapshot, one.check, one.wanted, attempt, rules)
    elif one.request is not None:
        yield from handed_over(snapshot, one.request, rules)


def next_attempt(snapshot: WorkloadSnapshot, one: Asked, rules: ProvisioningRules) -> int | None:
    """Return the attempt to make now: the first, one after those that were sent back, or one after the last
    (PA-055, PA-056).
    """
    if one.request is None:
        return rules.retries(snapshot.workload, one.check.entry) + 1
    gone = one.request.says(FAILED) or (one.request.says(BOOKING_EXPIRED) and not snapshot.workload.admitted)
    return one.attempt + 1 if gone and one.check.state == PENDING else None


def next_attempt_when_asked(snapshot: WorkloadSnapshot, one: Asked, rules: ProvisioningRules) -> int | None:
    """Return the same, but make nothing anew while a Workload is being sent back: that retry would be lost
    (PC-03, fixed).
    """
    if one.request is None and one.check.state != PENDING:
        return None
    return next_attempt(snapshot, one, rules)


def handed_over(snapshot: WorkloadSnapshot, request: Request, rules: ProvisioningRules) -> Iterator[Step]:
    """Have the templates that are there belong to their request (PA-067)."""
    found = (snapshot.template(name) for name in dict.fromkeys(request.templates))
    changed = []
    for template in found:
        if template is None:
            continue
        try:
            new = rules.handed_over(template, request, snapshot.workload)
        except OwnedByAnotherError as error:
            yield Fail(str(error))
            continue
        if new is not None:
            changed.append(new)
    if changed:
        yield HandOver(request, tuple(changed))


def pending_without_configuration(_snapshot: WorkloadSnapshot, check: Check) -> Json:
    """Wait while there is no configuration, also where the Workload runs (PA-070, PA-136)."""
    return states.not_active(check.entry)


def waiting_without_configuration(snapshot: WorkloadSnapshot, check: Check) -> Json:
    """Do the same, but leave a Workload alone that was admitted or is being sent back (PA-136, CC-056,
    fixed).
    """
    stays = snapshot.workload.admitted or check.state in (RETRY, REJECTED)
    return check.entry if stays else states.not_active(check.entry)


def retries(_workload: Workload, entry: Json) -> int:
    """Return how often this check sent the Workload back (PA-099)."""
    return int(entry.get("retryCount") or 0)
