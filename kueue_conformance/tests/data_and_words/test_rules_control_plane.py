"""The safety rules of the control plane:
which row is broken by which story, and which stories break none (N-02).
"""

import pytest

from kueue_conformance.rules import CONTROL_PLANE
from kueue_conformance.scenarios.outcome import Level

from .control_plane_stories import (
    EARLIER,
    LATER,
    NOW,
    admission,
    broken_rules,
    change,
    condition,
    entry,
    queue,
    refusal,
    with_quota,
    workload,
)

PENDING, READY = workload(), with_quota(checks=[entry("a", "Ready")])
OLD_TIME = condition("QuotaReserved", "False")
OTHER_FLAVOR = admission(flavor="large")
TWO_PODS = {
    **admission(),
    "podSetAssignments": [*admission()["podSetAssignments"], *admission(pods="others")["podSetAssignments"]],
}
RETRY, RESET = entry("a", "Retry", retryCount=2), entry("a", "Pending", NOW, retryCount=3)
SOON = {"requeueState": {"requeueAt": LATER}}
WRITES = {
    "a reservation": (PENDING, with_quota(), []),
    "an admission": (READY, {**READY, **with_quota("Admitted", checks=[entry("a", "Ready")])}, []),
    "AC-110 a condition twice": (PENDING, workload(condition("Requeued"), condition("Requeued")), ["AC-110"]),
    "AC-110 a condition without a reason": (PENDING, workload(condition("Requeued", reason="")), ["AC-110"]),
    "AC-110 a status that is none": (PENDING, workload(condition("Requeued", "Maybe")), ["AC-110"]),
    "AC-110 a new time for the same status": (workload("Requeued"), workload(condition("Requeued", time=NOW)), ["AC-110"]),
    "a new status with its time": (workload("Requeued"), workload(condition("Requeued", "False", NOW)), []),
    "AC-111 another queue": (with_quota(), with_quota(admission=admission(queue="other")), ["AC-111"]),
    "AC-111 another flavor": (with_quota(), with_quota(admission=OTHER_FLAVOR), ["AC-111"]),
    "AC-112 pods that there are not": (PENDING, with_quota(admission=TWO_PODS), ["AC-112", "Q-125"]),
    "AC-113 it is not said where": (PENDING, workload("QuotaReserved"), ["AC-113"]),
    "AC-116 a check twice": (PENDING, workload(checks=[entry("a"), entry("a")]), ["AC-116"]),
    "AC-118 a state that is none": (PENDING, workload(checks=[entry("a", "Maybe")]), ["AC-118"]),
    "AC-119 no time": (PENDING, workload(checks=[{"name": "a", "state": "Pending"}]), ["AC-119"]),
    "AC-119 a new time for the same state": (workload(checks=[entry("a")]), workload(checks=[entry("a", time=NOW)]), ["AC-119"]),
    "AC-119 a time that goes back": (workload(checks=[entry("a", "Ready", NOW)]), workload(checks=[entry("a")]), ["AC-119"]),
    "AC-259 Admitted without the quota of before": (with_quota("Admitted"), workload("Admitted"), ["AC-259"]),
    "quota and Admitted go together": (with_quota("Admitted"), workload(condition("Admitted", "False", NOW)), []),
    "AC-273 no generation": (PENDING, workload(condition("Requeued", observedGeneration=None)), ["AC-273"]),
    "AC-273 a generation to come": (PENDING, workload(condition("Requeued", observedGeneration=2)), ["AC-273"]),
    "AC-273 is not for Preempted": (PENDING, workload(condition("Preempted", observedGeneration=None)), []),
    "AC-275 requeueAt is moved back": (workload(**SOON), workload(requeueState={"requeueAt": NOW}), ["AC-275"]),
    "AC-275 requeueAt is forgotten": (workload(**SOON), PENDING, ["AC-275"]),
    "requeueAt moves on": (workload(requeueState={"requeueAt": NOW}), workload(**SOON), []),
    "what has come is forgotten": (workload(requeueState={"requeueAt": EARLIER}), PENDING, []),
    "a deactivated one waits for nothing": (workload(spec={"active": False}, **SOON), workload(spec={"active": False}), []),
    "AC-283 a queue of others": (PENDING, with_quota(admission=admission(queue="other")), ["AC-283"]),
    "AC-285 a check is Pending": (READY, with_quota("Admitted", checks=[entry("a")]), ["AC-285"]),
    "AC-285 no quota": (PENDING, workload("Admitted"), ["AC-285"]),
    "AC-288 before the delay is over": (workload(**SOON), with_quota(**SOON), ["AC-288"]),
    "AC-320 a finished one is evicted": (workload("Finished"), workload("Finished", "Evicted"), ["AC-320"]),
    "a finished one is let go": (
        workload("Finished"), {**workload("Finished"), "metadata": {"name": "work", "namespace": "ns", "generation": 1, "finalizers": []}}, [],
    ),
    "a Retry is counted": (workload(checks=[RETRY]), workload(checks=[RESET]), []),
    "AC-345 a Retry is not counted": (workload(checks=[RETRY]), workload(checks=[{**RESET, "retryCount": 2}]), ["AC-345"]),
    "AC-345 by two": (workload(checks=[RETRY]), workload(checks=[{**RESET, "retryCount": 4}]), ["AC-345"]),
    "AC-345 Ready is counted": (workload(checks=[entry("a", "Ready", retryCount=2)]), workload(checks=[RESET]), ["AC-345"]),
    "Ready forgets the count": (workload(checks=[entry("a", "Ready", retryCount=2)]), workload(checks=[entry("a", "Pending", NOW)]), []),
    "Q-125 more than there is": (PENDING, with_quota(cpu="1001m"), ["Q-125"]),
    "Q-125 a flavor without quota": (PENDING, with_quota(admission=OTHER_FLAVOR), ["Q-125"]),
}  # fmt: skip
REFUSALS = {
    "AC-110": 'Workload "work" is invalid: status.conditions[0].reason: Required value',
    "AC-111": 'admission webhook "v" denied the request: status.admission: Invalid value: {}: field is immutable',
    "AC-112": "status.admission.podSetAssignments: Invalid value: must have the same number of podSets",
    "AC-113": "status.admission: Required value: must be set while the QuotaReserved condition is true",
    "AC-116": 'Workload "work" is invalid: status.admissionChecks[1]: Duplicate value: {"name":"a"}',
    "AC-118": 'Workload "work" is invalid: status.admissionChecks[0].state: Unsupported value: "Maybe"',
    "AC-119": 'Workload "work" is invalid: status.admissionChecks[0].lastTransitionTime: Required value',
}
OWN = "status.admissionChecks[0].podSetUpdates: Invalid value: null: field is immutable"


@pytest.mark.parametrize(("before", "after", "rules"), WRITES.values(), ids=WRITES)
def test_a_write_of_a_workload(before, after, rules):
    assert broken_rules(change(before, after)) == rules


@pytest.mark.parametrize(("rule", "message"), REFUSALS.items(), ids=REFUSALS)
def test_nonsense_that_the_server_refused(rule, message):
    assert broken_rules(refused=[refusal(message)]) == [rule]


def test_what_a_check_controller_owns_is_no_nonsense():
    assert broken_rules(refused=[refusal(OWN, 403)]) == []


@pytest.mark.parametrize("actor", ["kueue-conformance", "check-player", "outside-system"])
def test_what_users_and_check_controllers_write_is_no_breach(actor):
    assert broken_rules(change(workload("Finished"), workload("Finished", "Evicted"), actor=actor)) == []


def test_a_status_of_seconds_later_has_a_time_of_its_own():
    to_true = change(workload(OLD_TIME), with_quota())
    back = change(with_quota(), workload(condition("QuotaReserved", "False")), seconds=60)

    assert broken_rules(to_true, back) == ["AC-110", "AC-110"]


def test_what_happens_within_a_second_may_have_one_time():
    there, gone = workload(condition("Requeued", "True", NOW)), workload(condition("Requeued", "False", NOW))

    assert broken_rules(change(workload(), there), change(there, gone, seconds=0.5)) == []


def test_times_of_two_writes_are_compared_later_on_a_busy_machine():
    there, gone = workload(condition("Requeued", "True", NOW)), workload(condition("Requeued", "False", NOW))
    changes = change(workload(), there), change(there, gone, seconds=2.1)

    assert broken_rules(*changes) == ["AC-110"]
    assert broken_rules(*changes, timeout_scale=2.0) == []


def test_a_condition_that_the_writer_had_not_seen_is_written_anew():
    """Seen of the reference on a real API server: a second apply of PodsReady from a copy without it."""
    first_write, rewritten = (
        workload(condition("PodsReady", "False", EARLIER)),
        workload(condition("PodsReady", "False", NOW)),
    )

    assert (
        broken_rules(
            change(None, workload(), actor="user"),
            change(workload(), first_write),
            change(first_write, rewritten),
        )
        == []
    )
    assert broken_rules(
        change(None, first_write, actor="user"), change(first_write, rewritten, seconds=60)
    ) == ["AC-110"]


def test_a_status_that_nobody_knows_the_author_of_may_be_taken_back_in_the_same_second():
    there, gone = workload(condition("Evicted", "True", NOW)), workload(condition("Evicted", "False", NOW))

    assert broken_rules(change(workload(), there, actor="unknown"), change(there, gone, seconds=0.2)) == []


@pytest.mark.parametrize(
    "owned_fields", [{}, {"requeueAfterSeconds": 0}, {"podSetUpdates": [{"name": "main"}]}], ids=str
)
def test_an_older_copy_of_an_entry_may_come_back(owned_fields):
    """AC-372: a loose apply of the scheduler, which leaves what the check controller owns alone (AC-349)."""
    pending, back = (
        workload(checks=[entry("a", "Pending", EARLIER) | entry_fields])
        for entry_fields in ({}, owned_fields)
    )
    ready = workload(checks=[entry("a", "Ready", NOW) | owned_fields])
    answered = change(pending, ready, actor="check-player")

    assert broken_rules(change(None, pending, actor="user"), answered, change(ready, back)) == []
    queues = [queue(checks={"a": ()})]
    assert broken_rules(
        change(None, pending, actor="user"), answered, change(ready, back), settled=(12,), queues=queues
    ) == ["AC-119"]


CHECKED = queue(checks={"a": (), "b": ("small",), "c": ("large",)})


@pytest.mark.parametrize(
    ("listed", "rules"),
    [
        pytest.param("ab", [], id="every check"),
        pytest.param("abd", [], id="one more"),
        pytest.param("a", ["AC-384"], id="one of the flavor is missing"),
        pytest.param("b", ["AC-384"], id="one of all flavors is missing"),
        pytest.param("", ["AC-384"], id="none is listed"),
    ],
)
def test_required_checks_are_listed(listed, rules):
    checks = [entry(name, "Ready") for name in listed]

    assert (
        broken_rules(
            change(with_quota(checks=checks), with_quota("Admitted", checks=checks)), queues=[CHECKED]
        )
        == rules
    )


@pytest.mark.parametrize(
    ("settled", "seconds", "rules"),
    [
        pytest.param((), 1.0, [], id="at the same moment"),
        pytest.param((11,), 1.0, ["AC-384"], id="when all was at rest since"),
        pytest.param((), 3.0, ["AC-384"], id="long ago"),
    ],
)
def test_a_check_that_was_asked_for(settled, seconds, rules):
    check_added = change(queue(), CHECKED, "ClusterQueue", "user")
    admitted = change(with_quota(), with_quota("Admitted"), seconds=seconds)

    assert broken_rules(check_added, admitted, settled=settled) == rules


def test_an_older_copy_of_an_unreserved_workload_may_be_admitted_at_once():
    listed = change(workload(), workload(checks=[entry("a")]))
    admitted = change(workload(checks=[entry("a")]), with_quota("Admitted", checks=[entry("a")]))

    assert broken_rules(change(None, workload(), actor="user"), listed, admitted) == []


def test_an_older_copy_of_a_reserved_workload_may_not():
    withdrawn = change(READY, with_quota(checks=[entry("a")]), actor="check-player")
    admitted = change(with_quota(checks=[entry("a")]), with_quota("Admitted", checks=[entry("a")]))

    assert broken_rules(withdrawn, admitted) == ["AC-285"]


def test_one_that_was_finished_at_this_moment_may_have_been_seen_before():
    finished = change(workload(), workload("Finished"), actor="user")

    assert broken_rules(finished, change(workload("Finished"), workload("Finished", "Evicted"))) == []


LENDER = queue("3", cohort="tree", name="lender", lendingLimit="2")
TREES = {
    "what it has itself": ([queue("1", cohort="tree")], "1", []),
    "what others lend": ([queue("1", cohort="tree"), LENDER], "3", []),
    "more than others lend": ([queue("1", cohort="tree"), LENDER], "3001m", ["Q-125"]),
    "more than it may borrow": ([queue("1", cohort="tree", borrowingLimit="500m"), LENDER], "2", ["Q-125"]),
    "what an outer cohort has": ([queue("1", cohort="tree"), {**queue("2", name="tree"), "spec": {**queue("2")["spec"], "parentName": ""}}], "3", []),
    "a queue that is not there": ([], "1", ["AC-283"]),
}  # fmt: skip


@pytest.mark.parametrize(("queues", "cpu", "rules"), TREES.values(), ids=TREES)
def test_quota_of_a_tree(queues, cpu, rules):
    assert broken_rules(change(workload(), with_quota(cpu=cpu)), queues=queues) == rules


@pytest.mark.parametrize(
    ("other", "rules"),
    [
        pytest.param(with_quota(name="other"), ["Q-125"], id="reserved"),
        pytest.param(with_quota("Finished", name="other"), [], id="finished"),
        pytest.param(with_quota(name="other", spec={"active": False}), [], id="deactivated"),
        pytest.param(
            with_quota(name="other", reclaimablePods=[{"name": "main", "count": 1}]),
            [],
            id="pods that were given back",
        ),
    ],
)
def test_quota_that_another_one_has(other, rules):
    there = change(None, other, actor="user")

    assert broken_rules(there, change(workload(), with_quota())) == rules


def test_a_rule_that_a_scenario_permits_to_be_broken_is_not_judged_in_it():
    too_much = change(workload(), with_quota(cpu="1001m"))

    assert broken_rules(too_much, permits=["Q-125"]) == [
        rule for rule in broken_rules(too_much) if rule != "Q-125"
    ]
    assert "Q-125" in broken_rules(too_much)


WAITING = condition(
    "QuotaReserved", message="Quota reserved in ClusterQueue queue; waiting for 1 preemption(s)"
)


def waiting(name="work", **status_fields):
    """A reservation that counts on a victim."""
    return workload(WAITING, name=name, admission=admission("1"), **status_fields)


PLANNED = {
    "reserved beside its victim": (with_quota(name="other"), None, waiting(), []),
    "admitted beside its victim": (with_quota("Admitted", name="other"), with_quota(), with_quota("Admitted"), ["AC-473"]),
    "admitted when its victim has gone": (workload(name="other"), waiting(), with_quota("Admitted"), []),
    "another one takes what is free by a plan": (with_quota(name="other"), None, with_quota(), ["Q-125"]),
    "another one takes what is free until then": (waiting(name="other"), None, with_quota(), []),
}  # fmt: skip


@pytest.mark.parametrize(("other", "before", "after", "rules"), PLANNED.values(), ids=PLANNED)
def test_quota_that_a_victim_still_holds(other, before, after, rules):
    there = change(None, other, actor="user")

    assert broken_rules(there, change(before or workload(), after), dialect="kep993") == rules


def test_quota_of_cohorts_that_the_story_does_not_tell_is_not_judged():
    queues = [queue("1", cohort="tree")]

    assert (
        broken_rules(
            change(workload(), with_quota(cpu="2")),
            queues=queues,
            kinds=frozenset({"ClusterQueue", "Workload"}),
        )
        == []
    )


def event(reason, number=1, **fields):
    about = {"kind": "Workload", "namespace": "ns", "name": "work"}
    return {
        "metadata": {"name": f"event-{number}", "namespace": "ns"},
        "regarding": about,
        "reason": reason,
        "reportingController": "kueue-workload-controller",
        **fields,
    }


EVENTS = {
    "one each": ([event("QuotaReserved"), event("Admitted", 2)], []),
    "AC-380 twice": ([event("Admitted"), event("Admitted", 2)], ["AC-380"]),
    "AC-380 in a series": ([event("Admitted", series={"count": 2})], ["AC-380"]),
    "AC-380 what has not happened": ([event("EvictedDueToAdmissionCheck")], ["AC-380"]),
    "another's event": ([event("Preempted", reportingController="example.com/other")], []),
    "as often as it waits": ([event("Pending"), event("Pending", 2)], []),
}


@pytest.mark.parametrize(("events", "rules"), EVENTS.values(), ids=EVENTS)
def test_events(events, rules):
    admitted = change(workload(), with_quota("Admitted"))

    assert broken_rules(admitted, *(change(None, event_object, "Event") for event_object in events)) == rules


def workload_with_managers(**managers):
    fields = [
        {
            "manager": name.replace("_", "-"),
            "operation": "Apply",
            "fieldsV1": {"f:status": {"f:conditions": {f'k:{{"type":"{kind}"}}': {}}}},
        }
        for name, kind in managers.items()
    ]
    return {**workload(), "metadata": {**workload()["metadata"], "managedFields": fields}}


@pytest.mark.parametrize(
    ("after", "rules"),
    [
        pytest.param(
            workload_with_managers(kueue_admission="Evicted", kueue="Admitted"), [], id="each its own"
        ),
        pytest.param(
            workload_with_managers(kueue_admission="Evicted", kueue="Evicted"), ["AC-371"], id="the same"
        ),
        pytest.param(
            workload_with_managers(kueue_admission="PodsReady", kueue="PodsReady"), [], id="PodsReady"
        ),
        pytest.param(
            workload_with_managers(kueue_admission="Evicted", somebody="Evicted"), [], id="somebody else"
        ),
    ],
)
def test_owners(after, rules):
    assert broken_rules(change(workload(), after)) == rules


@pytest.mark.parametrize(
    ("rule", "dialects"),
    [
        pytest.param("AC-273", {"docs-2024", "v0.19", "v0.20", "kep993"}, id="AC-273"),
        pytest.param("AC-345", {"v0.19", "v0.20"}, id="AC-345"),
    ],
)
def test_a_rule_holds_where_its_row_does(rule, dialects):
    from kueue_conformance.scenarios.dialect import known_dialects

    row = next(rule_row for rule_row in CONTROL_PLANE if rule_row.id == rule)

    assert {
        name for name, known_dialect in known_dialects().items() if row.holds_in(known_dialect)
    } == dialects


def test_what_the_seeds_promise_is_binding():
    binding = {rule_row.id for rule_row in CONTROL_PLANE if rule_row.level is Level.MUST}

    assert binding == {
        "AC-110",
        "AC-111",
        "AC-112",
        "AC-113",
        "AC-116",
        "AC-118",
        "AC-119",
        "AC-259",
        "AC-283",
        "AC-285",
        "AC-288",
        "AC-290",
        "AC-332",
        "AC-333",
        "AC-335",
        "AC-363",
        "AC-367",
        "AC-380",
        "AC-381",
        "AC-384",
        "AC-473",
        "Q-083",
        "Q-125",
        "Q-166",
        "Q-177",
        "Q-251",
        "Q-318",
        "Q-370",
        "Q-371",
        "Q-373",
        "PA-031",
        "PA-032",
        "PA-036",
        "PA-058",
        "PA-079",
        "PA-155",
    }
