"""Rules about requests: writes in vain, and manners (CC-043, CC-074, CC-080, F-07)."""

import pytest

from kueue_conformance.history.story import Request

from .stories import AT, attempt, broken_rules


def request(verb="list", resource="workloads", agent="acme/1", **query):
    return Request(at=AT, verb=verb, resource=resource, code=200, agent=agent, query=query)


def in_vain(times):
    return [attempt(changed=False)] * times


CUT_BODY = b'{"metadata": {"annotations": {"note": "xxxx...[50000 more bytes]'
"""As the journal keeps a body that is longer than it keeps refused ones."""
WRITES = {
    "a verdict": ([attempt()], []),
    "a write that met another one": (in_vain(2), []),
    "writes in vain": (in_vain(3), ["CC-043"]),
    "a hot loop": (in_vain(20), ["CC-043", "CC-074"]),
    "writes in vain between others": ([*in_vain(2), attempt(), *in_vain(2)], []),
    "refused writes": ([attempt(changed=False, code=409)] * 30, []),
    "a large PUT that was refused": (
        [attempt(verb="update", subresource="status", changed=False, code=409, body=CUT_BODY)],
        [],
    ),
    "a PUT without a precondition": (
        [attempt(verb="update", subresource="status", body=b'{"metadata": {"name": "w"}}')],
        ["CC-041"],
    ),
}
WATCH = request("watch", resourceVersion="5", allowWatchBookmarks="true")
LIST = request(limit="500")
REQUESTS = {
    "a list and its watch": ([LIST, WATCH], []),
    "a watch from nowhere": ([request("watch", allowWatchBookmarks="true")], ["F-07.1"]),
    "a streaming list": (
        [request("watch", allowWatchBookmarks="true", sendInitialEvents="true")], []
    ),
    "polling": ([LIST] * 6, ["F-07.2"]),
    "a list after each end of a watch": ([LIST, WATCH] * 9, []),
    "pages of a list": ([LIST, *[request(limit="500", **{"continue": "x"})] * 9], []),
    "a list of everything": ([request(), WATCH], ["F-07.3"]),
    "a list from the cache": ([request(resourceVersion="0"), WATCH], []),
    "no bookmarks": ([request("watch", resourceVersion="5")], ["F-07.4"]),
    "a library's agent": ([request(limit="500", agent="Go-http-client/1.1")], ["F-07.5"]),
    "many events": ([request("create", "events")] * 21, ["CC-080"]),
    "few events": ([request("create", "events")] * 20, []),
}  # fmt: skip


@pytest.mark.parametrize(("attempts", "rules"), WRITES.values(), ids=WRITES)
def test_writes_are_judged(attempts, rules):
    assert broken_rules(attempts=attempts) == rules


@pytest.mark.parametrize(("requests", "rules"), REQUESTS.values(), ids=REQUESTS)
def test_requests_are_judged(requests, rules):
    assert broken_rules(requests=requests) == rules


def test_a_manager_is_named_where_something_is_written():
    def wrote(**query):
        return Request(
            at=AT, verb="update", kind="Workload", resource="workloads", code=200, agent="acme/1", query=query
        )

    assert broken_rules(requests=[wrote()]) == ["F-07.6"]
    assert broken_rules(requests=[wrote(fieldManager="acme")]) == []
