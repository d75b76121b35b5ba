"""What the journal keeps of requests that are larger than they are worth (issue 16, 4)."""

from __future__ import annotations

import gc
import http.client
import tracemalloc
from urllib.parse import urlsplit

import orjson
import pytest

from fakecluster import FakeCluster
from fakecluster.api import routes
from fakecluster.base.caching import MAX_CACHED_CHARACTERS, cache_short_texts
from fakecluster.codec import media
from fakecluster.journal import Entry, Journal
from fakecluster.journal.bounds import NOTE_LIMIT, PARAMETER_LIMIT, REFUSED_BODY_LIMIT, TEXT_LIMIT, weight
from fakecluster.journal.entry import Change

MAPS = "/api/v1/namespaces/default/configmaps"
MEGABYTE = 1024 * 1024


def entry(**fields):
    defaults = {"time": 0.0, "audit_id": "a", "user": "alice", "verb": "create", "path": "/x", "code": 200}
    return Entry(**{**defaults, **fields})


def keep(**fields):
    return Journal().record(entry(**fields))


@pytest.mark.parametrize(
    "field",
    ["path", "user_agent", "audit_id", "user", "name", "manager", "message", "patch_type"],
    ids=str,
)
def test_a_long_text_is_cut_with_a_mark(field):
    assert (
        getattr(keep(**{field: "é" * (TEXT_LIMIT + 5)}), field) == "é" * TEXT_LIMIT + "…[cut: 5 characters]"
    )


def test_a_query_of_many_parameters_is_cut_with_a_mark():
    query = keep(query=tuple((f"a{number}", "") for number in range(90_000))).query

    assert (len(query), query[0], query[-1][0]) == (
        PARAMETER_LIMIT + 1,
        ("a0", ""),
        f"…[cut: {90_000 - PARAMETER_LIMIT} parameters]",
    )


def test_a_long_parameter_is_cut_with_a_mark():
    assert keep(query=(("a", "b" * (TEXT_LIMIT + 1)),)).query == (
        ("a", "b" * TEXT_LIMIT + "…[cut: 1 characters]"),
    )


@pytest.mark.parametrize("code", [400, 403, 413, 422, 500])
def test_a_body_that_was_refused_is_cut_with_a_mark(code):
    assert (
        keep(code=code, body=b"x" * (REFUSED_BODY_LIMIT + 7)).body
        == b"x" * REFUSED_BODY_LIMIT + "…[cut: 7 bytes]".encode()
    )


@pytest.mark.parametrize(
    "wrapped",
    [
        pytest.param(lambda text: {"not applicable": text}, id="text"),
        pytest.param(lambda text: {"webhooks": [{"name": "a", "patch": text}]}, id="what a webhook said"),
    ],
)
def test_a_long_note_is_cut_with_a_mark(wrapped):
    assert keep(notes=wrapped("é" * (NOTE_LIMIT + 5))).notes == wrapped(
        "é" * NOTE_LIMIT + "…[cut: 5 characters]"
    )


def test_notes_count_with_their_names():
    noted = entry(notes={"webhooks": [{"annotations": {"a" * 1000: "b" * 2000}}]})

    assert weight(noted) - weight(entry()) >= 3000


def test_a_patch_that_does_not_apply_leaves_no_long_note():
    with FakeCluster(tls=False, controllers="none") as cluster:
        cluster.apply([{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}])
        remove = [{"op": "remove", "path": "/data/" + "x" * MEGABYTE}]
        code = _patch(cluster, remove)

        (number,) = cluster.journal.where(verb="patch", code=422)

    assert code == 422
    assert (len(number.notes["not applicable"]) < 2 * NOTE_LIMIT, weight(number) < 4 * NOTE_LIMIT) == (
        True,
        True,
    )


def _patch(cluster, operations):
    link = http.client.HTTPConnection(urlsplit(cluster.url).netloc, timeout=30)
    head = {"Content-Type": "application/json-patch+json", "Authorization": f"Bearer {cluster.token()}"}
    link.request("PATCH", f"{MAPS}/a", orjson.dumps(operations), head)
    code = link.getresponse().status
    link.close()
    return code


def test_a_body_that_was_accepted_is_kept_whole():
    number = entry(body=b"x" * MEGABYTE, query=(("a", "b"),))

    assert Journal().record(number) is number


def test_the_entries_together_weigh_no_more_than_the_limit():
    journal = Journal(limit_bytes=10 * MEGABYTE)
    for _ in range(200):
        journal.record(entry(body=b"x" * MEGABYTE))

    assert sum(weight(number) for number in journal) <= 10 * MEGABYTE
    assert (journal.last, journal.dropped + len(journal.all)) == (200, 200)
    assert [number.seq for number in journal.since(198)] == [199, 200]


def test_one_entry_above_the_limit_is_kept():
    journal = Journal(limit_bytes=10)

    journal.record(entry(body=b"x" * MEGABYTE))

    assert len(journal.all) == 1


def test_what_was_written_counts_as_well_as_its_request():
    from fakecluster.journal import Change

    written = entry(answered=MEGABYTE, changes=(Change(revision=1, before=None, after={}),))

    assert weight(written) > MEGABYTE > weight(entry(answered=MEGABYTE))


def test_large_requests_that_are_refused_leave_the_memory_as_it_was():
    with FakeCluster(tls=False, controllers="none", authorization="rbac") as cluster:
        link = http.client.HTTPConnection(urlsplit(cluster.url).netloc, timeout=30)

        def refused():
            body = b'{"a":"' + b"x" * (2 * MEGABYTE) + b'"}'
            link.request("POST", MAPS, body, {"Audit-Id": "i" * 60_000, "User-Agent": "u" * 60_000})
            link.getresponse().read()
            link.request("GET", f"{MAPS}/{'n' * 60_000}?" + "&".join(f"p{number}" for number in range(5000)))
            answer = link.getresponse()
            answer.read()
            return answer.status

        refused()
        gc.collect()
        tracemalloc.start()
        codes = {refused() for _ in range(12)}
        gc.collect()
        grown, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        link.close()

    assert codes == {403}
    assert grown < 2 * MEGABYTE


def test_an_audit_id_comes_back_whole_as_from_the_real_server():
    with FakeCluster(tls=False, controllers="none", anonymous=True) as cluster:
        link = http.client.HTTPConnection(urlsplit(cluster.url).netloc, timeout=30)
        link.request("GET", "/version", headers={"Audit-Id": "i" * 50_000})
        audit_id = link.getresponse().headers["Audit-Id"]
        link.close()

    assert audit_id == "i" * 50_000


@pytest.mark.parametrize("length", [MAX_CACHED_CHARACTERS, MAX_CACHED_CHARACTERS + 1], ids=["short", "long"])
def test_only_short_texts_are_remembered(length):
    calls = []
    look = cache_short_texts(8)(lambda text: calls.append(text) or len(text))

    assert [look("x" * length), look("x" * length)] == [length, length]
    assert len(calls) == (1 if length == MAX_CACHED_CHARACTERS else 2)


def test_request_lines_of_any_length_are_read_alike():
    before = routes._remembered.cache_info().currsize
    long = routes.parse("GET", f"{MAPS}/{'n' * 5000}", ())
    many = routes.parse("GET", MAPS, tuple((f"p{number}", "") for number in range(1000)))

    assert (long.verb, long.name, many.verb) == ("get", "n" * 5000, "list")
    assert routes._remembered.cache_info().currsize == before
    assert media.is_routed("x/" + "y" * 5000, ("application/json",)) is False


def test_an_object_that_was_removed_counts_when_a_status_answers():
    obj = {"metadata": {"name": "a"}, "data": {"k": "x" * MEGABYTE}}
    removed = entry(verb="delete", answered=100, changes=(Change(revision=2, before=obj, after=None),))

    assert weight(removed) > MEGABYTE
