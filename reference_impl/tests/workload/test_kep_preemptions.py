"""What the state machine of KEP-993 does with a reservation
that counts on victims (AC-443, AC-473, AC-482, AC-489).
"""

from __future__ import annotations

from typing import Any

import pytest

from reference_impl.kueue.checks.entries import Checks
from reference_impl.kueue.composition import dialect_of
from reference_impl.kueue.config import FINISHED, Config
from reference_impl.kueue.dialects import dialect
from reference_impl.kueue.features import parse
from reference_impl.kueue.workload import kep
from reference_impl.kueue.workload.decision import ApplyCondition, ApplyStatus, Decision
from reference_impl.kueue.workload.rules import WorkloadRules
from reference_impl.kueue.workload.transitions import decide
from reference_impl.kueue.workload.view import Workload
from reference_impl.kueue.workload.workload_context import ReservationState, WorkloadContext
from reference_impl.runtime.kubeconfig import Connection

from .objects import ADMISSION, ADMITTED, NOW, RESERVED, check, condition, workload, world

RULES = dialect("kep993").workload
TWO = ReservationState(preemptions=2, has_unissued_preemptions=True, is_covered=False)
SAID = "Quota reserved in ClusterQueue cq"
AFTER = {"a": "AfterCheckPassedOrOnDemand"}


def waiting(count: int, state: str = "Pending", **entry: Any) -> Workload:
    message = f"{SAID}; waiting for {count} preemption(s)" if count else SAID
    reserved = condition("QuotaReserved", reason="QuotaReserved", message=message)
    return workload(reserved, checks=[check("a", state, **entry)], admission=ADMISSION)


def next_of(subject: Workload, outlook: ReservationState, **fields: Any) -> Decision:
    around: WorkloadContext = world("a", outlook=outlook, preemption_policies=fields or AFTER)
    return decide(subject, around, NOW, RULES)


def message_of(decision: Decision) -> str:
    assert isinstance(decision.write, ApplyStatus)
    message: str = Workload({"status": decision.write.status}).condition("QuotaReserved")["message"]
    return message


COUNTS = {
    "first": (0, 2, f"{SAID}; waiting for 2 preemption(s)"),
    "fewer": (3, 2, f"{SAID}; waiting for 2 preemption(s)"),
    "none": (2, 0, SAID),
}


@pytest.mark.parametrize(("before", "after", "expected"), COUNTS.values(), ids=COUNTS)
def test_the_number_of_preemptions_is_kept_up_to_date(before: int, after: int, expected: str) -> None:
    outlook = ReservationState(preemptions=after, is_covered=not after)

    assert message_of(next_of(waiting(before), outlook)) == expected


def test_what_is_told_is_still_a_reservation_ac_489() -> None:
    decision = next_of(waiting(3), TWO)

    assert isinstance(decision.write, ApplyStatus)
    reserved = Workload({"status": decision.write.status}).condition("QuotaReserved")
    assert (reserved["status"], reserved["reason"]) == ("True", "QuotaReserved")


UNTOLD = {
    "not reserved": (),
    "admitted": (RESERVED, ADMITTED),
    "evicted": (RESERVED, condition("Evicted")),
}


@pytest.mark.parametrize("conditions", UNTOLD.values(), ids=UNTOLD)
def test_only_a_reservation_that_is_to_be_admitted_tells_what_it_waits_for_ac_489(conditions: Any) -> None:
    assert kep.report_preemptions(workload(*conditions), world(outlook=TWO), NOW, RULES) is None


ISSUED = {
    "the check delays": (waiting(2), AFTER, False),
    "the check has passed": (waiting(2, "Ready"), AFTER, True),
    "the check asks": (waiting(2, reason="PreemptionRequired"), AFTER, True),
    "the check does not delay": (waiting(2), {"a": "Anytime"}, True),
}


@pytest.mark.parametrize(("subject", "policies", "expected"), ISSUED.values(), ids=ISSUED)
def test_victims_are_told_when_the_checks_allow_it(
    subject: Workload, policies: dict[str, str], expected: bool
) -> None:
    assert next_of(subject, TWO, **policies).preempt is expected


def test_victims_are_looked_at_again_within_a_second() -> None:
    again_after = next_of(waiting(2, "Ready"), TWO).again_after

    assert again_after is not None
    assert 0 < again_after < 1


def test_victims_that_were_told_are_not_told_again() -> None:
    assert not next_of(waiting(2, "Ready"), ReservationState(preemptions=2, is_covered=False)).preempt


def test_nothing_is_admitted_before_quota_covers_it() -> None:
    subject = workload(RESERVED, checks=[check("a", "Ready")])

    short, free = (next_of(subject, ReservationState(is_covered=covered)) for covered in (False, True))

    assert short.write is None
    assert isinstance(free.write, ApplyStatus)


def test_an_eviction_forgets_what_was_asked_for() -> None:
    checks = Checks((check("a", reason="PreemptionRequired"), check("b", "Ready", reason="Fine"), check("c")))

    assert [entry.get("reason") for entry in kep.reset(checks, NOW).entries] == ["", "", None]


KEEPS = {
    "all that waits for its delay": (kep.keep_retry, ["Pending", "Pending", "Retry", "Pending"]),
    "all that is negative": (kep.keep_negative, ["Pending", "Pending", "Retry", "Rejected"]),
    "none": (kep.reset, ["Pending"] * 4),
}


@pytest.mark.parametrize(("keep", "states"), KEEPS.values(), ids=KEEPS)
def test_which_answers_survive_an_eviction_ac_481(keep: Any, states: list[str]) -> None:
    before = ("Pending", "Ready", "Retry", "Rejected")
    message = Checks(tuple(check(state.lower(), state, reason="Why") for state in before))

    after = keep(message, NOW).entries

    assert [entry["state"] for entry in after] == states
    assert [entry["name"] for entry in after] == [entry["name"] for entry in message.entries]
    assert [entry["reason"] for entry in after] == ["" if state == "Pending" else "Why" for state in states]


def test_book_capacity_issues_at_once() -> None:
    """AC-463."""
    around = world("a", outlook=TWO, preemption_policies=AFTER)

    assert decide(waiting(2), around, NOW, configured(book_capacity=True)).preempt


def configured(**options: Any) -> WorkloadRules:
    """Return the rules with options, and without the conditions that say why a Workload is not admitted:
    they would be written first (KV-01).
    """
    return dialect_of(
        Config(
            connection=Connection(server="http://127.0.0.1:1"),
            dialect="kep993",
            features=parse("UnadmittedWorkloadsObservability=false"),
            **options,
        )
    ).workload


def finishing() -> WorkloadRules:
    return configured(reject_mode=FINISHED)


def test_rejected_gives_its_quota_back_and_remembers_why_ac_483() -> None:
    refused = workload(RESERVED, checks=[check("a", "Rejected"), check("b", "Ready")], admission=ADMISSION)

    done = decide(refused, world("a", "b"), NOW, finishing())

    assert isinstance(done.write, ApplyStatus)
    after = Workload({"status": done.write.status})
    assert after.condition("Evicted")["reason"] == "AdmissionCheck"
    assert {entry["name"]: entry["state"] for entry in after.checks.entries} == {
        "a": "Rejected",
        "b": "Pending",
    }


def test_rejected_is_finished_once_it_holds_nothing_ac_483() -> None:
    released = condition("QuotaReserved", status=False, reason="Pending")
    refused = workload(released, checks=[check("a", "Rejected")])

    done = decide(refused, world("a"), NOW, finishing())

    assert isinstance(done.write, ApplyCondition)
    assert (
        Workload({"status": done.write.status}).condition("Finished")["reason"] == "AdmissionChecksRejected"
    )


def test_sent_back_is_not_finished_ac_483() -> None:
    released = condition("QuotaReserved", status=False, reason="Pending")
    sent_back = workload(released, checks=[check("a", "Retry")])

    done = decide(sent_back, world("a", retry_delays={"a": 900.0}), NOW, finishing())

    assert (done.write, done.again_after) == (None, 800.0)


def test_from_the_beginning_nothing_is_reserved_ac_452() -> None:
    decision = kep.set_suspended(workload(), world(), NOW, RULES)

    assert decision is not None
    assert isinstance(decision.write, ApplyStatus)
    (before,) = decision.write.status["conditions"]
    assert (before["type"], before["status"], before["reason"], before["message"]) == (
        "QuotaReserved",
        "False",
        "Pending",
        "The workload waits for quota",
    )
