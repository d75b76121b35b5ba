"""When releases before v0.10 took a refusal for the end (D-08…D-10, AC-337, AC-346)."""

from __future__ import annotations

from typing import Any

import pytest

from reference_impl.api import instants
from reference_impl.kueue.dialects import dialect
from reference_impl.kueue.workload import activity, legacy_v0_6
from reference_impl.kueue.workload.decision import ApplyStatus, ReplaceObject

from .objects import NOW, RESERVED, check, condition, workload, world

REJECTED, RETRY, READY = (check("a", state, "no") for state in ("Rejected", "Retry", "Ready"))
EVICTED = condition("Evicted")
INACTIVE = {"active": False}


def decide_v0_6(rule: Any, subject: Any, name: str) -> Any:
    return rule(subject, world("a"), NOW, dialect(name).workload)


SWITCHED_OFF = {
    "D-09 reserved and refused": (workload(RESERVED, checks=[REJECTED]), True),
    "not refused": (workload(RESERVED, checks=[READY]), False),
    "sent back": (workload(RESERVED, checks=[RETRY]), False),
    "not reserved": (workload(checks=[REJECTED]), False),
    "evicted": (workload(RESERVED, EVICTED, checks=[REJECTED]), False),
    "not active": (workload(RESERVED, checks=[REJECTED], spec=INACTIVE), False),
}


@pytest.mark.parametrize(("subject", "acts"), SWITCHED_OFF.values(), ids=SWITCHED_OFF)
def test_v0_9_switches_off_what_is_refused_while_it_is_reserved(subject: Any, acts: bool) -> None:
    assert (decide_v0_6(legacy_v0_6.deactivate_rejected, subject, "docs-2024") is not None) is acts


def test_v0_9_writes_the_spec_and_warns() -> None:
    """D-09."""
    decision = decide_v0_6(
        legacy_v0_6.deactivate_rejected, workload(RESERVED, checks=[REJECTED]), "docs-2024"
    )

    assert isinstance(decision.write, ReplaceObject)
    assert decision.write.object["spec"] == {"active": False, "queueName": "lq"}
    (note,) = decision.events
    assert (note.type, note.reason, note.on) == ("Warning", "AdmissionCheckRejected", "workload")


EVICTED_BY_ANY = {
    "D-05 sent back": (workload(RESERVED, checks=[RETRY]), True),
    "D-08 refused": (workload(RESERVED, checks=[REJECTED]), True),
    "neither": (workload(RESERVED, checks=[READY]), False),
    "not reserved": (workload(checks=[RETRY]), False),
    "evicted already": (workload(RESERVED, EVICTED, checks=[RETRY]), False),
}


@pytest.mark.parametrize(("subject", "acts"), EVICTED_BY_ANY.values(), ids=EVICTED_BY_ANY)
def test_v0_6_evicts_for_any_negative_answer(subject: Any, acts: bool) -> None:
    assert (
        isinstance(getattr(decide_v0_6(legacy_v0_6.negative, subject, "v0.6"), "write", None), ApplyStatus)
        is acts
    )


FINISHED = {
    "D-08 refused and released": (workload(checks=[REJECTED]), True),
    "still reserved": (workload(RESERVED, checks=[REJECTED]), False),
    "sent back": (workload(checks=[RETRY]), False),
}


@pytest.mark.parametrize(("subject", "acts"), FINISHED.values(), ids=FINISHED)
def test_v0_6_finishes_what_is_refused_once_it_holds_nothing(subject: Any, acts: bool) -> None:
    assert (decide_v0_6(legacy_v0_6.finish_rejected, subject, "v0.6") is not None) is acts


WAIT = {"requeueState": {"count": 1, "requeueAt": instants.render(NOW + 60)}}
SENT_BACK = condition("Requeued", status=False, reason="AdmissionCheck")
BACKING_OFF = {
    "DK-47 a Retry that holds its quota": (workload(RESERVED, checks=[RETRY], **WAIT), False),
    "sent back": (workload(SENT_BACK, **WAIT), True),
    "its time has come": (
        workload(SENT_BACK, requeueState={"requeueAt": instants.render(NOW)}),
        False,
    ),
}


@pytest.mark.parametrize(("subject", "waits"), BACKING_OFF.values(), ids=BACKING_OFF)
def test_v0_9_waits_once_the_quota_is_given_back(subject: Any, waits: bool) -> None:
    assert (decide_v0_6(legacy_v0_6.backoff_of_evicted, subject, "docs-2024") is not None) is waits


READY_AGAIN = {
    "PC-04 all Ready": (workload(RESERVED, checks=[READY], **WAIT), False),
    "one waits": (workload(RESERVED, checks=[READY, check("b")], **WAIT), True),
    "no quota": (workload(checks=[READY], **WAIT), True),
    "no checks": (workload(RESERVED, **WAIT), True),
}


@pytest.mark.parametrize(("subject", "waits"), READY_AGAIN.values(), ids=READY_AGAIN)
def test_a_wait_that_no_check_asks_for_any_more(subject: Any, waits: bool) -> None:
    assert decide_v0_6(activity.backoff_running, subject, "v0.19") is not None
    corrected = decide_v0_6(activity.backoff_running_unless_ready, subject, "v0.19")
    assert (corrected is not None) is waits
