"""The safety rules: which row of CC is broken by which story of a check controller (N-02)."""

import pytest

from .stories import NOW, OURS, attempt, broken_rules, change, check, entry, workload

PENDING, READY = entry("a", "Pending"), entry("a", "Ready", NOW)
CHANGES = {
    "a verdict": (workload(PENDING), workload(READY), []),
    "CC-001 another's check": (workload(entry("b", "Pending")), workload(entry("b", "Ready", NOW)), ["CC-001", "CC-031"]),
    "CC-020 no quota": (workload(PENDING, conditions=()), workload(READY, conditions=()), ["CC-020"]),
    "CC-021 finished": (
        workload(PENDING, conditions=("QuotaReserved", "Finished")), workload(READY, conditions=("QuotaReserved", "Finished")),
        ["CC-021"],
    ),
    "CC-022 evicted": (
        workload(PENDING, conditions=("QuotaReserved", "Evicted")), workload(READY, conditions=("QuotaReserved", "Evicted")),
        ["CC-022"],
    ),
    "CC-025 an entry of its own making": (workload(), workload(READY), ["CC-025"]),
    "CC-031 another's message": (
        workload(PENDING, entry("b", "Ready", message="x")), workload(READY, entry("b", "Ready", message="y")), ["CC-031"],
    ),
    "an empty field that a typed client leaves out": (
        workload(PENDING, admission={"podSetAssignments": [{"name": "a", "flavors": {}}]}),
        workload(READY, admission={"podSetAssignments": [{"name": "a"}]}), [],
    ),
    "CC-032 another field": (workload(PENDING), workload(READY, requeueState={"count": 1}), ["CC-032"]),
    "CC-033 retryCount": (
        workload(entry("a", "Pending", retryCount=2)), workload(entry("a", "Ready", NOW, retryCount=3)), ["CC-033"],
    ),
    "CC-035 an old time": (workload(PENDING), workload(entry("a", "Ready")), ["CC-035"]),
    "CC-035 a new time without a new state": (workload(PENDING), workload(entry("a", "Pending", NOW)), ["CC-035"]),
    "CC-053 Rejected is final": (workload(entry("a", "Rejected")), workload(READY), ["CC-053"]),
    "CC-056 back to Pending": (workload(entry("a", "Retry")), workload(entry("a", "Pending", NOW)), ["CC-056"]),
}  # fmt: skip
ENTRIES = b'{"metadata": {"resourceVersion": "1"}, "status": {"admissionChecks": []}}'
ATTEMPTS = {
    "CC-026 a word that is no state": (
        attempt(code=422, changed=False, message='status.admissionChecks[0].state: Unsupported value: "No"'),
        ["CC-026"],
    ),
    "CC-030 the Workload itself": (attempt(subresource="", changed=False, body=ENTRIES), ["CC-030"]),
    "a finalizer that was there": (attempt(subresource="", changed=False), []),
    "a whole Workload that was refused": (attempt(subresource="", changed=False, body=ENTRIES, code=409), []),
    "a finalizer of its own": (attempt(subresource=""), []),
    "CC-041 strategic merge": (attempt(code=415, changed=False), ["CC-041"]),
}
CHECKS = {
    "its own condition": (check("a"), check("a", status={"conditions": [{"type": "Active", "status": "True"}]}), []),
    "CC-013 another condition": (
        check("a"), check("a", status={"conditions": [{"type": "Funny", "status": "True"}]}), ["CC-013"],
    ),
    "CC-013 another's finalizer": (check("a", metadata={"name": "a", "finalizers": ["k"]}), check("a"), ["CC-013"]),
    "a finalizer of its own": (check("a"), check("a", metadata={"name": "a", "finalizers": ["own"]}), []),
    "CC-013 the spec": (check("a"), check("a", spec={"controllerName": OURS, "retryDelayMinutes": 1}), ["CC-013"]),
}  # fmt: skip


@pytest.mark.parametrize(("before", "after", "rules"), CHANGES.values(), ids=CHANGES)
def test_a_write_of_a_workload(before, after, rules):
    assert broken_rules([change(before, after)]) == rules


@pytest.mark.parametrize(("tried", "rules"), ATTEMPTS.values(), ids=ATTEMPTS)
def test_a_request(tried, rules):
    assert broken_rules(attempts=[tried]) == rules


@pytest.mark.parametrize(("before", "after", "rules"), CHECKS.values(), ids=CHECKS)
def test_a_write_of_a_check(before, after, rules):
    assert broken_rules([change(before, after, "AdmissionCheck", "a")]) == rules


def test_what_others_write_is_no_breach():
    assert (
        broken_rules(
            [change(workload(entry("a", "Rejected")), workload(entry("a", "Pending")), actor="kueue")]
        )
        == []
    )


def test_a_rule_holds_from_its_release_on():
    evicted = ("QuotaReserved", "Evicted")

    assert (
        broken_rules(
            [change(workload(PENDING, conditions=evicted), workload(READY, conditions=evicted))],
            dialect="v0.6",
        )
        == []
    )


@pytest.mark.parametrize(
    ("state", "reason", "dialect", "rules"),
    [
        ("Pending", "PreemptionRequired", "kep993", []),
        ("Ready", "Passed", "kep993", []),
        ("Ready", "PreemptionRequired", "kep993", ["CC-090"]),
        ("Retry", "BookQuotaRequired", "kep993", ["CC-090"]),
        ("Ready", "PreemptionRequired", "v0.19", []),
    ],
)
def test_only_an_undecided_check_asks_for_preemptions_ac_465(state, reason, dialect, rules):
    before, after = entry("a", "Pending"), entry("a", state, NOW, reason=reason, message="said")
    if state == "Pending":
        after = entry("a", "Pending", reason=reason)

    assert broken_rules([change(workload(before), workload(after))], dialect=dialect) == rules
