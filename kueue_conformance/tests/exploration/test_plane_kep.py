"""Statements of the model that only KEP-993 makes: delays of checks, and preemptions that wait for them."""

from dataclasses import replace

import pytest

from kueue_conformance.exploration.control_planes.acts import Act
from kueue_conformance.exploration.control_planes.state import State
from kueue_conformance.exploration.control_planes.statements.kep_993 import (
    kep_delays,
    kep_holds,
    kep_preemptions,
    kep_victims,
)
from kueue_conformance.exploration.control_planes.statements.workload_write import WorkloadWrite
from kueue_conformance.scenarios.dialect import known_dialects
from kueue_conformance.stage.workloads.view import WorkloadView

from .test_plane_model import LOCAL, condition, queue, snapshot, workload, write_of_kueue

NOON, NOON_SECONDS = "2026-01-01T12:00:00Z", 1767268800.0
KEP, RELEASE = known_dialects()["kep993"], known_dialects()["v0.20"]
AFTER = "AfterCheckPassedOrOnDemand"


def check(**spec):
    return {"metadata": {"name": "k"}, "spec": spec}


def state_of(*workloads, of_check, time=0.0, dialect=KEP, **fields):
    objects = snapshot(
        Workload=workloads, ClusterQueue=[queue("q", "4")], LocalQueue=[LOCAL], AdmissionCheck=[of_check]
    )
    return State(objects, facts=dialect.facts, dialect=dialect, time=NOON_SECONDS + time, **fields)


def with_entry(*true, state, **fields):
    result = workload("w", "2", *true)
    entry = {"name": "k", "state": state, "lastTransitionTime": NOON, **fields}
    result["status"]["admissionChecks"] = [entry]
    return result


@pytest.mark.parametrize(
    ("true", "minutes", "seconds", "is_right"),
    [
        ((), 2, 119, True),
        ((), 2, 130, False),
        ((), None, 890, True),
        ((), None, 910, False),
        (("QuotaReserved",), 2, 60, False),
    ],
)
def test_a_check_says_retry_as_long_as_its_delay_and_the_workload_has_no_quota(
    true, minutes, seconds, is_right
):
    fields = {} if minutes is None else {"retryDelayMinutes": minutes}
    state = state_of(of_check=check(**fields), time=seconds)
    view = WorkloadView(with_entry(*true, state="Retry"))

    assert (not [*kep_holds(state, view)]) is is_right
    assert not [*kep_holds(replace(state, dialect=RELEASE), view)], "releases have another delay"


@pytest.mark.parametrize(("seconds", "is_right"), [(60, True), (40, False)])
def test_a_retry_is_taken_back_when_its_delay_is_over(seconds, is_right):
    state = state_of(of_check=check(retryDelayMinutes=1))
    write = WorkloadWrite(
        state,
        WorkloadView(with_entry(state="Retry")),
        WorkloadView(with_entry(state="Pending")),
        NOON_SECONDS + seconds,
    )

    assert (not [*kep_delays(write)]) is is_right


@pytest.mark.parametrize(
    ("policy", "entry", "is_right"),
    [
        ("Anytime", {"state": "Pending"}, False),
        (AFTER, {"state": "Pending"}, True),
        (AFTER, {"state": "Ready"}, False),
        (AFTER, {"state": "Pending", "reason": "PreemptionRequired"}, False),
    ],
)
def test_preemptions_are_issued_when_no_check_holds_them_back(policy, entry, is_right):
    waiting = with_entry("QuotaReserved", **entry)
    waiting["status"]["conditions"] = [
        {
            **condition("QuotaReserved"),
            "message": "Quota reserved in ClusterQueue q; waiting for 1 preemption(s)",
        }
    ]
    state = state_of(waiting, of_check=check(preemptionPolicy=policy))

    assert (not [*kep_preemptions(state, WorkloadView(waiting))]) is is_right


@pytest.mark.parametrize(("policy", "is_right"), [("Anytime", True), (AFTER, False)])
def test_victims_stay_until_the_checks_of_the_preemptor_have_passed(policy, is_right):
    preemptor = with_entry("QuotaReserved", state="Pending")
    preemptor["metadata"]["uid"] = "u-1"
    victim = workload("victim", "2", "QuotaReserved")
    preempted = {
        **condition("Preempted"),
        "message": "Preempted to accommodate a workload (UID: u-1, JobUID: )",
    }
    after = {**victim, "status": {**victim["status"], "conditions": [preempted]}}
    state = state_of(
        preemptor,
        of_check=check(preemptionPolicy=policy),
        single_act=Act.of("submit w1 to=l1"),
        changes=[write_of_kueue(victim, after)],
    )

    assert (not [*kep_victims(state)]) is is_right
