"""How a verdict is sent (CC-039…041, CC-086)."""

import json

import pytest

from .stories import NOW, attempt, broken_rules

APPLY, MERGE = "application/apply-patch+yaml", "application/merge-patch+json"
STEPS = "application/json-patch+json"
FORCED = {"force": "true", "fieldManager": "budget"}
WHOLE = {"name": "a", "state": "Ready", "lastTransitionTime": NOW, "message": ""}


def entry_write(entry, form=APPLY, *, version="7", manager="budget", query=FORCED, verb="patch", **changes):
    body = {"metadata": {"resourceVersion": version}, "status": {"admissionChecks": [entry]}}
    write_fields = {"patch_type": form, "manager": manager, "query": query, "verb": verb}
    return attempt(body=json.dumps(body).encode(), **write_fields, **changes)


def steps(*body):
    return attempt(body=json.dumps(body).encode(), patch_type=STEPS)


REQUESTS = {
    "an apply as it should be": ([entry_write(WHOLE)], []),
    "CC-039 as Kueue": ([entry_write(WHOLE, manager="kueue-admission")], ["CC-039"]),
    "CC-039 as two": ([entry_write(WHOLE), entry_write(WHOLE, manager="other")], ["CC-039"]),
    "CC-039 without force": ([entry_write(WHOLE, query={})], ["CC-039"]),
    "CC-039 without a time": ([entry_write({"name": "a", "state": "Ready", "message": ""})], ["CC-039"]),
    "CC-086 without a condition": ([entry_write(WHOLE, version="")], ["CC-086"]),
    "CC-040 a merge patch without a condition": ([entry_write(WHOLE, MERGE, version="")], ["CC-040"]),
    "a merge patch with one": ([entry_write(WHOLE, MERGE)], []),
    "CC-041 a PUT without a condition": ([entry_write(WHOLE, "", version="", verb="update")], ["CC-041"]),
    "CC-041 a strategic merge patch": ([attempt(code=415, changed=False)], ["CC-041"]),
    "CC-041 a JSON patch by place": ([steps({"op": "replace", "path": "/status/admissionChecks/0", "value": {}})], ["CC-041"]),
    "a JSON patch that tests": ([steps({"op": "test", "path": "/status/admissionChecks/0/name", "value": "a"})], []),
    "a JSON patch with a revision": ([steps({"op": "replace", "path": "/metadata/resourceVersion", "value": "7"})], []),
    "an apply in YAML": ([attempt(patch_type=APPLY, manager="budget", query=FORCED, body=b"metadata: {resourceVersion: '7'}")], []),
    "nothing that can be read": ([attempt(patch_type=APPLY, manager="budget", query=FORCED, body=b"\xff{")], []),
    "a body that was not seen": ([attempt(patch_type=MERGE)], []),
}  # fmt: skip


@pytest.mark.parametrize(("tried", "rules"), REQUESTS.values(), ids=REQUESTS)
def test_a_verdict_is_sent(tried, rules):
    assert broken_rules(attempts=tried) == rules
