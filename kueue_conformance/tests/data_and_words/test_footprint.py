"""What a subject needs and costs, out of its requests;
the least role beside a declared one (harness/N-09, N-14).
"""

import pytest

from kueue_conformance.history.footprint import (
    AccessRight,
    cost,
    forbidden,
    is_granted,
    least_role,
    needs,
    unused_rights,
)
from kueue_conformance.history.story import Request

KUEUE = "kueue.x-k8s.io"


def request(verb, resource="workloads", *, group=KUEUE, code=200, **fields):
    return Request(at=0.0, verb=verb, group=group, resource=resource, code=code, **fields)


WATCHED = [
    request("list"),
    request("watch"),
    request("list", "admissionchecks"),
    request("watch", "admissionchecks"),
]
VERDICT = request("update", subresource="status", body=b"12345", answered=10, changed=True)


def test_needs_are_rights_that_rbac_knows():
    assert needs([*WATCHED[:2], VERDICT, request("get", "", group="")]) == {
        AccessRight(KUEUE, "workloads", "list"),
        AccessRight(KUEUE, "workloads", "watch"),
        AccessRight(KUEUE, "workloads/status", "update"),
    }


def test_the_least_role_joins_what_has_the_same_verbs():
    role = least_role(needs([*WATCHED, VERDICT]), "mine")

    assert role["rules"] == [
        {"apiGroups": [KUEUE], "resources": ["admissionchecks", "workloads"], "verbs": ["list", "watch"]},
        {"apiGroups": [KUEUE], "resources": ["workloads/status"], "verbs": ["update"]},
    ]


def test_the_least_role_grants_every_need():
    needed_rights = needs([*WATCHED, VERDICT])
    rules = least_role(needed_rights, "mine")["rules"]

    assert all(is_granted(rules, right) for right in needed_rights)
    assert unused_rights(rules, needed_rights) == []


RULES = {
    "by name": ([KUEUE], ["workloads/status"], ["update"], True),
    "by wildcards": (["*"], ["*"], ["*"], True),
    "any subresource of this name": ([KUEUE], ["*/status"], ["update"], True),
    "another verb": ([KUEUE], ["workloads/status"], ["patch"], False),
    "the resource without its subresource": ([KUEUE], ["workloads"], ["update"], False),
    "another group": ([""], ["workloads/status"], ["update"], False),
}


@pytest.mark.parametrize(("groups", "resources", "verbs", "enough"), RULES.values(), ids=RULES)
def test_rules_grant(groups, resources, verbs, enough):
    rules = [{"apiGroups": groups, "resources": resources, "verbs": verbs}]

    assert is_granted(rules, AccessRight(KUEUE, "workloads/status", "update")) is enough


def test_what_is_granted_and_never_used_is_told():
    rules = [{"apiGroups": [KUEUE, ""], "resources": ["workloads"], "verbs": ["list", "delete"]}]

    assert [str(right) for right in unused_rights(rules, [AccessRight(KUEUE, "workloads", "list")])] == [
        "delete workloads",
        "list workloads",
        "delete workloads.kueue.x-k8s.io",
    ]


def test_only_what_rbac_refused_is_forbidden():
    by_rbac = request(
        "list", "secrets", group="", code=403, message='secrets is forbidden: User "x" cannot list resource'
    )
    by_webhook = request("update", code=403, message="admission webhook denied the request")

    assert forbidden([by_rbac, by_webhook]) == {AccessRight("", "secrets", "list")}


def test_cost_counts_requests_and_bytes():
    spent = cost([*WATCHED, VERDICT, request("update", code=409)])

    assert (spent["requests"], spent["lists"], spent["watches"], spent["writes"]) == (6, 2, 2, 2)
    assert (spent["changes"], spent["conflicts"], spent["bytesSent"], spent["bytesRead"]) == (1, 1, 5, 10)
