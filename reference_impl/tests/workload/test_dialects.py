"""Dialects and defects are data: what each version does instead (admission.md §2.9, §5.2)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from reference_impl.api import instants
from reference_impl.api.known_releases import NAMED
from reference_impl.kueue.defects import DEFECTS, find, without
from reference_impl.kueue.dialects import dialect
from reference_impl.kueue.queueing import pending
from reference_impl.kueue.workload import kep
from reference_impl.kueue.workload.decision import (
    ApplyCondition,
    ApplyStatus,
    Decision,
    ReplaceObject,
    ReplaceStatus,
)
from reference_impl.kueue.workload.notes import print_without_operands
from reference_impl.kueue.workload.rules import PodsReady
from reference_impl.kueue.workload.transitions import V0_19, decide
from reference_impl.kueue.workload.view import Workload
from reference_impl.kueue.workload.workload_context import ReservationState, WorkloadContext
from reference_impl.kueue.workload.writing import apply_body, with_one_condition

from .objects import ADMITTED, EARLIER, NOW, RESERVED, check, condition, workload, world

RETRY = workload(RESERVED, ADMITTED, checks=[check("a", "Retry", "no"), check("b", "Ready")])
REJECTED = workload(RESERVED, checks=[check("a", "Rejected", "no")])
INACTIVE = workload(RESERVED, spec={"active": False})
AB = world("a", "b")


def next_of(name: str, subject: Workload, around: WorkloadContext = AB) -> Decision:
    return decide(subject, around, NOW, dialect(name).workload)


def status_of(decision: Decision) -> Any:
    assert isinstance(decision.write, ApplyStatus | ApplyCondition)
    return decision.write.status


def conditions_of(decision: Decision) -> dict[str, tuple[str, str, str]]:
    conditions = status_of(decision)["conditions"]
    return {
        condition["type"]: (condition["status"], condition["reason"], condition["message"])
        for condition in conditions
    }


def test_newest_release_is_the_order_of_the_page() -> None:
    assert dialect("v0.19").workload == V0_19


MESSAGES = {
    "v0.6": "At least one admission check is false",
    "docs-2024": "At least one admission check is false",
    "v0.19": 'Evicted due to AdmissionCheck in Retry state: "a" (no)',
    "kep993": 'Evicted due to AdmissionCheck in Retry state: "a" (no)',
}


@pytest.mark.parametrize(("name", "message"), MESSAGES.items(), ids=MESSAGES.keys())
def test_retry_evicts_with_the_text_of_the_version(name: str, message: str) -> None:
    """D-05, D-06."""
    assert conditions_of(next_of(name, RETRY))["Evicted"] == ("True", "AdmissionCheck", message)


STATES = {
    "v0.6": ["Retry", "Ready"],
    "docs-2024": ["Pending", "Pending"],
    "v0.19": ["Pending", "Pending"],
    "kep993": ["Retry", "Pending"],
}


@pytest.mark.parametrize(("name", "states"), STATES.items(), ids=STATES.keys())
def test_retry_resets_answers_as_the_version_does(name: str, states: list[str]) -> None:
    """D-11, AC-481."""
    assert [
        admission_check["state"] for admission_check in status_of(next_of(name, RETRY))["admissionChecks"]
    ] == states


REASONS = {
    "AC-484 Retry for a reason of one's own": (check("a", "Retry", reason="Whatever"), "Evicted"),
    "AC-484 Retry without a reason": (check("a", "Retry"), "Evicted"),
    "AC-485 Ready with the reason of a refusal": (check("a", "Ready", reason="Reject"), "Admitted"),
}


@pytest.mark.parametrize(("entry", "expected"), REASONS.values(), ids=REASONS.keys())
def test_kep_993_goes_by_the_state_whatever_the_reason(entry: Any, expected: str) -> None:
    decision = next_of("kep993", workload(RESERVED, checks=[entry]), world("a"))

    assert conditions_of(decision)[expected][0] == "True"


def test_kep_993_leaves_a_pending_check_alone_that_gives_a_reason() -> None:
    """AC-485."""
    subject = workload(RESERVED, checks=[check("a", "Pending", reason="Reject")])

    assert next_of("kep993", subject, world("a")).write is None


def test_v0_6_evicts_silently() -> None:
    """AC-346."""
    decision = next_of("v0.6", RETRY)

    assert (decision.events, decision.metrics) == ((), ())
    assert "schedulingStats" not in status_of(decision)


def test_v0_6_finishes_a_rejected_workload_once_it_is_released() -> None:
    """D-08: the owners hear of it."""
    evicted = next_of("v0.6", REJECTED, world("a"))
    released = next_of("v0.6", workload(checks=[check("a", "Rejected")]), world("a"))

    assert conditions_of(evicted)["Evicted"][1] == "AdmissionCheck"
    assert conditions_of(released)["Finished"] == (
        "True",
        "AdmissionChecksRejected",
        "Admission checks [a] are rejected",
    )
    assert (released.events[0].reason, released.events[0].on) == ("WorkloadFinished", "owners")


def test_docs_2024_switches_a_rejected_workload_off_directly() -> None:
    """D-08, D-09."""
    decision = next_of("docs-2024", REJECTED, world("a"))

    assert isinstance(decision.write, ReplaceObject)
    assert decision.events[0].note == "Deactivating workload because AdmissionCheck for a was Rejected: no"


REASONS = {"docs-2024": "InactiveWorkload", "v0.19": "Deactivated", "kep993": "Deactivated"}


@pytest.mark.parametrize(("name", "reason"), REASONS.items(), ids=REASONS.keys())
def test_deactivation_names_its_reason(name: str, reason: str) -> None:
    """D-10."""
    assert conditions_of(next_of(name, INACTIVE, world()))["Evicted"][1] == reason


EXHAUSTED = workload(RESERVED, ADMITTED, requeueState={"count": 1})


def exhausted(name: str, subject: Workload) -> Decision:
    rules = replace(dialect(name).workload, pods_ready=PodsReady(timeout=1, backoff_limit=1))
    return decide(subject, world(), NOW, rules)


def test_the_last_attempt_marks_a_workload_that_is_deactivated_then() -> None:
    """AC-292, AC-316, D-10: v0.8 and v0.9."""
    marked = exhausted("docs-2024", EXHAUSTED)
    marked_workload = Workload({**EXHAUSTED.object, "status": status_of(marked)})
    deactivated = exhausted("docs-2024", marked_workload).write
    assert isinstance(deactivated, ReplaceObject)
    evicted = exhausted("docs-2024", Workload({**deactivated.object, "status": marked_workload.status}))

    assert conditions_of(marked)["DeactivationTarget"][1] == "RequeuingLimitExceeded"
    assert deactivated.object["spec"]["active"] is False
    assert conditions_of(evicted)["Evicted"][1:] == (
        "InactiveWorkloadRequeuingLimitExceeded",
        "The workload is deactivated due to exceeding the maximum number of re-queuing retries",
    )


def test_the_last_attempt_deactivates_at_once_in_v0_6() -> None:
    """AC-316."""
    decision = exhausted("v0.6", EXHAUSTED)

    assert isinstance(decision.write, ReplaceObject)
    assert [(event.reason, event.note) for event in decision.events] == [
        ("InactiveWorkload", 'Deactivated Workload "ns/w" by reached re-queue backoffLimitCount')
    ]


BACKED_OFF = workload(
    {"type": "Requeued", "status": "False", "reason": "PodsReadyTimeout", "message": ""},
    requeueState={"count": 1, "requeueAt": "2020-01-01T00:00:00Z"},
)


@pytest.mark.parametrize(
    ("name", "waits_for_queue"), [("docs-2024", False), ("v0.14", False), ("v0.19", True)]
)
def test_a_delay_ends_without_a_queue_until_v0_14(name: str, waits_for_queue: bool) -> None:
    """C-23."""
    decision = next_of(name, BACKED_OFF, world())

    assert (decision.requeue, "requeueAt" in status_of(decision)["requeueState"]) == (waits_for_queue, False)


BACKED_OFF = workload(
    condition("Requeued", False, "PodsReadyTimeout"),
    requeueState={"count": 1, "requeueAt": instants.render(NOW - 1)},
)


@pytest.mark.parametrize(
    ("name", "is_queued_first"), [("docs-2024", False), ("v0.14", False), ("v0.19", True)]
)
def test_a_delay_ends_without_a_local_queue_until_v0_14(name: str, is_queued_first: bool) -> None:
    """C-23."""
    decision = next_of(name, BACKED_OFF, world())

    assert decision.requeue is is_queued_first
    assert "requeueAt" not in status_of(decision)["requeueState"]


def test_kep_says_from_the_beginning_that_nothing_is_reserved() -> None:
    """AC-452, D-02."""
    assert conditions_of(next_of("kep993", workload(), world()))["QuotaReserved"][:2] == ("False", "Pending")


def test_kep_takes_back_a_reservation_that_is_no_longer_valid() -> None:
    """AC-474, SC-202: answers are forgotten first, then the reservation is given back; there is no eviction
    and no delay.
    """
    subject, decided = (
        workload(RESERVED, checks=[check("a", "Ready")]),
        world("a", outlook=ReservationState("too little cpu")),
    )

    first = next_of("kep993", subject, decided).write
    assert isinstance(first, ReplaceStatus)
    write = next_of("kep993", Workload({**subject.object, "status": first.status}), decided).write

    assert first.status == {
        name: value for name, value in subject.status.items() if name != "admissionChecks"
    }
    assert isinstance(write, ApplyStatus)
    assert write.status.keys() == {"conditions"}
    assert conditions_of(Decision(write=write)) == {
        "QuotaReserved": ("False", "Pending", "The reservation is no longer valid: too little cpu")
    }


def test_kep_takes_back_nothing_that_is_evicted() -> None:
    """AC-474, AC-476."""
    decided, subject = (
        world(outlook=ReservationState("too little cpu")),
        workload(RESERVED, condition("Evicted")),
    )

    assert kep.recheck(subject, decided, NOW, dialect("kep993").workload) is None


def test_release_admits_without_looking_again() -> None:
    """D-04: the shipped releases do not ask."""
    subject = workload(RESERVED, checks=[check("a", "Ready")])

    assert "Admitted" in conditions_of(
        next_of("v0.19", subject, world("a", outlook=ReservationState("too little cpu")))
    )


def waiting(delay: float) -> tuple[Workload, WorkloadContext]:
    requeued = condition("Requeued", False, "AdmissionCheck")
    reserved = condition("QuotaReserved", False, "Pending")
    return workload(requeued, reserved, checks=[check("a", "Retry")]), world("a", retry_delays={"a": delay})


def test_kep_keeps_a_retry_until_its_delay_is_over() -> None:
    """AC-451, AC-478."""
    assert next_of("kep993", *waiting(160)) == Decision(again_after=60.0)


def test_kep_brings_a_retry_back_to_pending_after_its_delay() -> None:
    """AC-478: Kueue does, for every controller."""
    entry = status_of(next_of("kep993", *waiting(100)))["admissionChecks"][0]

    assert entry == {
        "name": "a",
        "state": "Pending",
        "message": "",
        "lastTransitionTime": instants.render(NOW),
    }


def test_release_with_a_fix_lacks_the_defect_of_its_line() -> None:
    """KV-34: #14874 came with 0.19.3 and 0.20.0."""
    exactly = find("0.19.2").workload.is_requeued_on_activation
    for name in ("0.19.3", "0.20.0", "0.21.0"):
        assert find(name).workload.is_requeued_on_activation != exactly, name
    for name in ("0.18.6", "0.20.0-devel"):
        assert find(name).workload.is_requeued_on_activation == exactly, name


def test_every_defect_differs_from_its_correction() -> None:
    assert [defect.id for defect in DEFECTS if defect.observed is defect.corrected] == []


@pytest.mark.parametrize("name", NAMED, ids=NAMED)
def test_no_defective_member_is_left(name: str) -> None:
    corrected = without(dialect(name))
    members = [
        getattr(rules, slot)
        for rules in (
            corrected.workload,
            corrected.jobs,
            corrected.queues,
            corrected.pending,
            corrected.scheduling,
            corrected.visibility,
            corrected.provisioning,
        )
        for slot in rules.__slots__
    ]
    single = {id(rule) for member in members for rule in (member if isinstance(member, tuple) else (member,))}

    assert [d.id for d in DEFECTS if id(d.observed) in single] == []


def correct(subject: Workload, around: WorkloadContext) -> Decision:
    return decide(subject, around, NOW, without(dialect("v0.19")).workload)


def test_ac_295_reactivation_after_a_refusal_works_without_the_defect() -> None:
    subject = workload(condition("Requeued", False, "DeactivatedDueToAdmissionCheck"))

    assert conditions_of(correct(subject, world()))["Requeued"][1] == "Reactivated"


def test_c_03_lost_flavor_keeps_its_checks_without_the_defect() -> None:
    subject = workload(RESERVED, checks=[check("a")])

    assert correct(subject, world("a", flavors=frozenset({"other"}))).write is None


def test_c_24_withdrawn_retry_forgets_its_backoff_without_the_defect() -> None:
    subject = workload(RESERVED, ADMITTED, checks=[check("a", "Ready")], requeueState={"requeueAt": EARLIER})

    assert "requeueState" not in status_of(correct(subject, world("a")))


TEXTS = {
    "verb": ("50% of %d nodes", "50%!o(MISSING)f %!d(MISSING) nodes"),
    "percent": ("100%%", "100%"),
    "at the end": ("100%", "100%!(NOVERB)"),
    "none": ("all", "all"),
}


@pytest.mark.parametrize(("note", "shown"), TEXTS.values(), ids=TEXTS.keys())
def test_percent_signs_are_garbled_as_go_does(note: str, shown: str) -> None:
    """AC-383."""
    assert print_without_operands(note) == shown


TAKEN_BACK = {
    "as observed": (pending.requeue_on_spec_change, False),
    "corrected": (pending.requeue_on_check_change, True),
}


@pytest.mark.parametrize(("stirs", "is_requeued"), TAKEN_BACK.values(), ids=TAKEN_BACK.keys())
def test_c_01_answer_taken_back_reaches_the_queue_only_when_corrected(
    stirs: pending.RequeueOnChange, is_requeued: bool
) -> None:
    before, after = (
        pending.PendingWorkload.of(workload(checks=[check("a", state)]), frozenset())
        for state in ("Retry", "Pending")
    )

    assert stirs(before, after, None) is is_requeued


def test_v0_6_ends_a_workload_by_a_manager_of_its_own() -> None:
    """No apply of the scheduler, which knows no revision, takes Finished away (AC-370, D-08)."""
    decision = next_of("v0.6", workload(checks=[check("a", "Rejected", "no")]), world("a"))
    assert isinstance(decision.write, ApplyCondition)
    body = with_one_condition(apply_body(REJECTED, decision.write.status, strict=True), decision.write.type)
    assert [condition["type"] for condition in body["status"]["conditions"]] == ["Finished"]
    assert list(body["status"]) == ["conditions"]
