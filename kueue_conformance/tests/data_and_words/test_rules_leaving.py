"""Workloads and checks on their way out, verdicts that do nothing, and how Active is written (CC-014…017,
023, 024, 054, 058, 064, 066).
"""

from itertools import pairwise

import pytest

from .stories import NOW, attempt, broken_rules, change, check, entry, workload

PENDING, READY = entry("a", "Pending"), entry("a", "Ready", NOW)
RETRY, REJECTED = entry("a", "Retry", NOW, message="m"), entry("a", "Rejected", NOW, message="m")
ENDING = {"deletionTimestamp": NOW}


def workload_with_finalizers(*finalizers):
    return workload(PENDING, metadata={"finalizers": [*finalizers]})


VERDICTS = {
    "CC-023 in deletion": (PENDING, READY, {"metadata": ENDING}, ["CC-023"]),
    "CC-024 inactive": (PENDING, READY, {"spec": {"active": False}}, ["CC-024"]),
    "active": (PENDING, READY, {"spec": {"active": True}}, []),
    "CC-054 admitted and stopped by Pending": (
        entry("a", "Ready"), entry("a", "Pending", NOW), {"conditions": ("QuotaReserved", "Admitted")}, ["CC-054"],
    ),
    "CC-058 Retry without quota": (PENDING, RETRY, {"conditions": ()}, ["CC-058"]),
    "CC-058 Rejected without quota": (PENDING, REJECTED, {"conditions": ()}, ["CC-058"]),
    "CC-020 Ready without quota": (PENDING, READY, {"conditions": ()}, ["CC-020"]),
}  # fmt: skip
FINALIZERS = {
    "its own, set and taken away": ([("k",), ("k", "own"), ("k",)], []),
    "CC-064.1 another's": ([("k",), ()], ["CC-064.1"]),
}


def active(status, time=NOW, **fields):
    conditions = [{"type": "Active", "status": status, "lastTransitionTime": time, "reason": "R"}]
    return check("a", **({"status": {"conditions": conditions}} | fields))


ACTIVE = {
    "becomes Active": (check("a"), active("True"), []),
    "CC-015 takes it back": (active("True"), active("False"), ["CC-015"]),
    "CC-017 stamps it anew": (active("True", "2027-01-15T07:00:00Z"), active("True"), ["CC-017"]),
    "takes it back for its parameters": (
        active("True", spec={"controllerName": "example.com/ours", "parameters": {"name": "x"}}),
        active("False", spec={"controllerName": "example.com/ours", "parameters": {"name": "x"}}),
        [],
    ),
}


@pytest.mark.parametrize(("old", "new", "fields", "rules"), VERDICTS.values(), ids=VERDICTS)
def test_a_verdict_that_nobody_waits_for(old, new, fields, rules):
    assert broken_rules([change(workload(old, **fields), workload(new, **fields))]) == rules


@pytest.mark.parametrize(("steps", "rules"), FINALIZERS.values(), ids=FINALIZERS)
def test_finalizers(steps, rules):
    workloads = [workload_with_finalizers(*finalizers) for finalizers in steps]

    assert broken_rules([change(old, new) for old, new in pairwise(workloads)]) == rules


@pytest.mark.parametrize(("before", "after", "rules"), ACTIVE.values(), ids=ACTIVE)
def test_the_active_condition(before, after, rules):
    assert broken_rules([change(before, after, "AdmissionCheck", "a")]) == rules


def test_the_check_itself_is_not_written():
    tried = attempt(
        kind="AdmissionCheck", name="a", subresource="", changed=False, body=b'{"status": {"conditions": []}}'
    )

    assert broken_rules(attempts=[tried]) == ["CC-014"]


@pytest.mark.parametrize(("seconds", "rules"), [(60.0, ["CC-066"]), (1.0, [])], ids=["long after", "at once"])
def test_a_verdict_for_a_check_that_is_gone(seconds, rules):
    gone = change(check("a"), None, "AdmissionCheck", "a", "user", revision=5)
    stamp = "2027-01-15T08:01:00Z" if seconds > 30 else NOW
    verdict = change(workload(PENDING), workload(entry("a", "Ready", stamp)), after_seconds=seconds)

    assert broken_rules([gone, verdict]) == rules
