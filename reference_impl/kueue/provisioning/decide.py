"""The next steps for the provisioning checks of a Workload: a pure function of a snapshot (PA-030…035)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from reference_impl.api.objects import CheckState
from reference_impl.kueue.checks.entries import PENDING, READY, REJECTED, RETRY
from reference_impl.kueue.workload.view import Workload

from . import fitting, request_construction, states
from .managed_pod_sets import InconsistentError
from .request import BOOKING_EXPIRED, FAILED, Request
from .rules import CheckContext, ProvisioningRules
from .snapshot import CheckRequest, ProvisioningCheck, WorkloadSnapshot
from .steps import DeleteRequest, Fail, ReportChecks, StateChange, Step, TransferTemplates, WriteChecks
from .templates import OwnedByAnotherError

NOTHING: Final[tuple[Step, ...]] = ()


def decide(snapshot: WorkloadSnapshot, rules: ProvisioningRules) -> tuple[Step, ...]:
    """Return the steps, in this order: answers, deletions, creations, changes of owners."""
    workload = snapshot.workload
    if workload.is_finished or (workload.is_evicted and rules.deletes_requests_on_eviction):
        return tuple(DeleteRequest(request) for request in snapshot.requests)
    if workload.is_evicted or not workload.has_quota_reservation or rules.skips_workload(workload):
        return NOTHING
    if bad := rules.blocking_problem(snapshot.checks):
        return (Fail(bad),)
    try:
        check_answers = tuple(current_answer(snapshot, check, rules) for check in snapshot.checks)
    except InconsistentError as error:
        return (Fail(str(error)),)
    entries = answers(snapshot, check_answers, rules)
    # Kueue creates requests after it has synced the states, and returns early as long
    # as one is missing: answers of the other checks wait for the next pass (PA-072).
    complete = len(entries) == len(check_answers)
    steps: list[Step] = [*(write_answers if complete else rules.answer_partly)(snapshot, entries, rules)]
    chosen = {answer.request.name for answer in check_answers if answer.request is not None}
    # After the answers: a check never points at a request that is gone.
    steps += [DeleteRequest(request) for request in snapshot.requests if request.name not in chosen]
    stored = {
        entry["name"]: entry for step in steps if isinstance(step, WriteChecks) for entry in step.entries
    }
    for answer in check_answers:
        entry = stored.get(answer.check.name, answer.check.entry)
        steps += _make_steps(snapshot, replace(answer, check=replace(answer.check, entry=entry)), rules)
    return tuple(steps)


def current_answer(
    snapshot: WorkloadSnapshot, check: ProvisioningCheck, rules: ProvisioningRules
) -> CheckRequest:
    """Return the wanted podSets of a check, and its current request. Raises InconsistentError."""
    pod_sets = () if check.config is None else rules.managed_pod_sets(snapshot.workload, check.config.managed)
    active = fitting.current_request(snapshot, check, pod_sets, rules)
    return CheckRequest(check, pod_sets) if active is None else CheckRequest(check, pod_sets, *active)


def answers(
    snapshot: WorkloadSnapshot, every: tuple[CheckRequest, ...], rules: ProvisioningRules
) -> Mapping[str, CheckState]:
    """Return the new entries by check; those of checks without a request are missing."""
    entries: dict[str, CheckState] = {}
    for answer in every:
        entry = _answer(snapshot, answer, rules)
        if entry is not None:
            entries[answer.check.name] = rules.limit_message(
                rules.set_missing_message(rules.clear_stale_fields(entry))
            )
    return entries


def _answer(snapshot: WorkloadSnapshot, answer: CheckRequest, rules: ProvisioningRules) -> CheckState | None:
    check, config = answer.check, answer.check.config
    if rules.skips_check(check):
        return check.entry
    if config is None:
        return rules.answer_without_config(snapshot, check)
    if not answer.pod_sets:
        return states.not_needed(check.entry)
    if answer.request is None:
        found_room = check.state == PENDING and not rules.needs_request(snapshot.workload)
        return states.not_needed(check.entry) if found_room else None
    situation = CheckContext(
        workload=snapshot.workload,
        check=check,
        config=config,
        request=answer.request,
        attempt=answer.attempt,
        pod_sets=answer.pod_sets,
        rules=rules,
        current_time=snapshot.current_time,
        jitter=snapshot.jitter,
    )
    answers = (rule(situation) for rule in rules.state_rules)
    return next((entry for entry in answers if entry is not None), check.entry)


def write_answers(
    snapshot: WorkloadSnapshot, entries: Mapping[str, CheckState], rules: ProvisioningRules
) -> Iterator[Step]:
    """Write all answers when one of them is another, with the changes of state (PA-155, PA-157)."""
    present = snapshot.workload.checks.entries
    new = tuple(
        rules.set_transition_time(entry, entries.get(entry["name"], entry), snapshot.current_time)
        for entry in present
    )
    if new != present:
        yield WriteChecks(new, _changes(present, new))


def report_only(
    snapshot: WorkloadSnapshot, entries: Mapping[str, CheckState], _rules: ProvisioningRules
) -> Iterator[Step]:
    """Write no answer while some check has no request yet, but record the event of each change (PA-072)."""
    present = snapshot.workload.checks.entries
    changes = _changes(present, [entries.get(entry["name"], entry) for entry in present])
    if changes:
        yield ReportChecks(changes)


def _changes(present: Iterable[CheckState], new: Iterable[CheckState]) -> tuple[StateChange, ...]:
    return tuple(
        StateChange(after["name"], before["state"], after["state"], after["message"])
        for before, after in zip(present, new, strict=True)
        if before["state"] != after["state"]
    )


def _make_steps(snapshot: WorkloadSnapshot, answer: CheckRequest, rules: ProvisioningRules) -> Iterator[Step]:
    """Make the request that is missing, or see to the templates of the one that is there."""
    if (
        answer.check.config is None
        or not answer.pod_sets
        or answer.check.state == READY
        or rules.skips_check(answer.check)
    ):
        return
    attempt = rules.next_attempt(snapshot, answer, rules)
    if attempt is not None and rules.needs_request(snapshot.workload):
        yield request_construction.request(snapshot, answer.check, answer.pod_sets, attempt, rules)
    elif answer.request is not None:
        yield from transfer_templates(snapshot, answer.request, rules)


def next_attempt(snapshot: WorkloadSnapshot, answer: CheckRequest, rules: ProvisioningRules) -> int | None:
    """Return the attempt to make now: the first, one after those
    that were sent back, or one after the last (PA-055, PA-056).
    """
    if answer.request is None:
        return rules.count_retries(snapshot.workload, answer.check.entry) + 1
    gone = answer.request.is_true(FAILED) or (
        answer.request.is_true(BOOKING_EXPIRED) and not snapshot.workload.is_admitted
    )
    return answer.attempt + 1 if gone and answer.check.state == PENDING else None


def next_attempt_when_pending(
    snapshot: WorkloadSnapshot, answer: CheckRequest, rules: ProvisioningRules
) -> int | None:
    """Return the same, but make nothing anew while a Workload is being sent back:
    that retry would be lost (PC-03, fixed).
    """
    if answer.request is None and answer.check.state != PENDING:
        return None
    return next_attempt(snapshot, answer, rules)


def transfer_templates(
    snapshot: WorkloadSnapshot, request: Request, rules: ProvisioningRules
) -> Iterator[Step]:
    """Have the templates that are there belong to their request (PA-067)."""
    templates = (snapshot.template(name) for name in dict.fromkeys(request.templates))
    changed = []
    for template in templates:
        if template is None:
            continue
        try:
            new = rules.transfer_template(template, request, snapshot.workload)
        except OwnedByAnotherError as error:
            yield Fail(str(error))
            continue
        if new is not None:
            changed.append(new)
    if changed:
        yield TransferTemplates(request, tuple(changed))


def pending_without_configuration(_snapshot: WorkloadSnapshot, check: ProvisioningCheck) -> CheckState:
    """Wait while there is no configuration, also where the Workload runs (PA-070, PA-136)."""
    return states.not_active(check.entry)


def waiting_without_configuration(snapshot: WorkloadSnapshot, check: ProvisioningCheck) -> CheckState:
    """Do the same, but leave a Workload alone that was
    admitted or is being sent back (PA-136, CC-056, fixed).
    """
    stays = snapshot.workload.is_admitted or check.state in (RETRY, REJECTED)
    return check.entry if stays else states.not_active(check.entry)


def count_retries(_workload: Workload, entry: CheckState) -> int:
    """Return how often this check sent the Workload back (PA-099)."""
    return int(entry.get("retryCount") or 0)
