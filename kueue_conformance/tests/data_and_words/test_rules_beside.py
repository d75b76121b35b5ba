"""What may stand beside a state, and what entries say (CC-034, CC-036, CC-037, CC-055)."""

import pytest

from .stories import NOW, attempt, broken_rules, change, entry, workload

TEMPLATE = {"metadata": {"labels": {"team": "theirs"}}, "spec": {"nodeSelector": {"zone": "a"}}}
PODS = {"podSets": [{"name": "main", "template": TEMPLATE}]}
PENDING = entry("a", "Pending")
GOOD = [{"name": "main", "labels": {"queue": "x"}, "nodeSelector": {"zone": "a"}}]
OTHER = [{"name": "main", "labels": {"queue": "y"}}]


def entry_with_updates(updates, state="Ready", time=NOW, **fields):
    return entry("a", state, time, message="m", podSetUpdates=updates, **fields)


UPDATES = {
    "good ones with Ready": ([PENDING], [entry_with_updates(GOOD)], []),
    "no pods of that name": ([PENDING], [entry_with_updates([{"name": "others", "labels": {"a": "b"}}])], ["CC-037"]),
    "another label than the template": ([PENDING], [entry_with_updates([{"name": "main", "labels": {"team": "ours"}}])], ["CC-037"]),
    "another node": ([PENDING], [entry_with_updates([{"name": "main", "nodeSelector": {"zone": "b"}}])], ["CC-037"]),
    "another value than another check": (
        [PENDING, entry("b", "Ready", podSetUpdates=OTHER)], [entry_with_updates(GOOD), entry("b", "Ready", podSetUpdates=OTHER)], ["CC-037"],
    ),
    "before Ready": ([PENDING], [entry_with_updates(GOOD, "Pending", PENDING["lastTransitionTime"])], ["CC-037"]),
    "changed while Ready": ([entry_with_updates(OTHER)], [entry_with_updates(GOOD)], ["CC-037"]),
    "kept while Ready": ([entry_with_updates(GOOD)], [{**entry_with_updates(GOOD), "message": "n"}], []),
    "what an eviction left, cleared": ([entry_with_updates(GOOD, "Pending")], [entry_with_updates([])], []),
}  # fmt: skip
DELAYS = {
    "with Retry": (entry("a", "Retry", NOW, message="m", requeueAfterSeconds=5), []),
    "with Ready": (entry("a", "Ready", NOW, requeueAfterSeconds=5), ["CC-034"]),
}
REFUSED = {
    "a delay below zero": (
        422,
        "status.admissionChecks[0].requeueAfterSeconds: Invalid value: -1",
        ["CC-034"],
    ),
    "updates that cannot be": (
        403,
        "status.admissionChecks[0].podSetUpdates: field is immutable",
        ["CC-037"],
    ),
    "something else": (403, "workloads.kueue.x-k8s.io is forbidden", []),
}
NEWS = {
    "Retry with a reason": ("Retry", "not today", []),
    "Retry without": ("Retry", "", ["CC-036"]),
    "Rejected with a book": ("Rejected", "x" * 1025, ["CC-036"]),
    "Ready without": ("Ready", "", []),
}


@pytest.mark.parametrize(("before", "after", "rules"), UPDATES.values(), ids=UPDATES)
def test_changes_of_pods(before, after, rules):
    assert broken_rules([change(workload(*before, spec=PODS), workload(*after, spec=PODS))]) == rules


@pytest.mark.parametrize(("after", "rules"), DELAYS.values(), ids=DELAYS)
def test_a_delay(after, rules):
    assert broken_rules([change(workload(PENDING), workload(after))]) == rules


@pytest.mark.parametrize(("code", "message", "rules"), REFUSED.values(), ids=REFUSED)
def test_what_the_server_refuses(code, message, rules):
    assert broken_rules(attempts=[attempt(code=code, message=message, changed=False)]) == rules


@pytest.mark.parametrize(("state", "message", "rules"), NEWS.values(), ids=NEWS)
def test_bad_news(state, message, rules):
    assert (
        broken_rules([change(workload(PENDING), workload(entry("a", state, NOW, message=message)))]) == rules
    )


@pytest.mark.parametrize(("seconds", "rules"), [(2.0, ["CC-055"]), (20.0, [])], ids=["soon", "later"])
def test_progress_that_is_told_again(seconds, rules):
    workloads = [
        workload(entry("a", "Pending", message="50 %", retryCount=None, mark=mark)) for mark in range(3)
    ]
    repeated = change(workloads[1], workloads[2], after_seconds=seconds)

    assert broken_rules([change(workloads[0], workloads[1]), repeated]) == rules


def request(**details):
    """Return what the subject made and an autoscaler gave details to."""
    provisioning_request = {"metadata": {"name": "r"}, "status": {"provisioningClassDetails": details}}
    return change(None, provisioning_request, "ProvisioningRequest", "r")


@pytest.mark.parametrize(
    ("zone", "rules"), [("b", []), ("c", ["CC-037"])], ids=["as the autoscaler says", "otherwise"]
)
def test_details_of_an_autoscaler_are_passed_on_whatever_pods_say(zone, rules):
    verdict = entry_with_updates([{"name": "main", "nodeSelector": {"zone": zone}}])
    decided = change(workload(PENDING, spec=PODS), workload(verdict, spec=PODS))

    assert broken_rules([request(zone="b"), decided]) == rules


@pytest.mark.parametrize(("size", "rules"), [(32_768, []), (32_769, ["CC-036"])])
def test_the_words_of_an_autoscaler_may_be_longer(size, rules):
    verdict = entry("a", "Rejected", NOW, message="x" * size)

    assert broken_rules([request(), change(workload(PENDING), workload(verdict))]) == rules
