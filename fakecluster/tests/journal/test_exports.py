"""The journal written down for other programs (F-01)."""

from __future__ import annotations

import json

import pytest

from fakecluster import FakeCluster
from fakecluster.journal.exports import FORMATS, pieces, render


@pytest.fixture(scope="module")
def entries():
    with FakeCluster(controllers="none") as cluster:
        cluster.apply(
            [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a-b", "namespace": "default"}}]
        )
        with pytest.raises(Exception, match="not found"):
            cluster.request("GET", "/api/v1/namespaces/default/configmaps/missing")
        return cluster.journal.all


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def test_jsonl_has_what_changed(entries):
    first, second = lines(render(entries, "jsonl"))

    assert first["changes"][0]["after"]["metadata"]["name"] == "a-b"
    assert (second["code"], second["reason"]) == (404, "NotFound")


def test_har_is_what_a_browser_opens(entries):
    log = json.loads(render(entries, "har"))["log"]

    assert log["version"] == "1.2"
    assert [(entry["request"]["method"], entry["response"]["status"]) for entry in log["entries"]] == [
        ("PATCH", 201),
        ("GET", 404),
    ]


def test_audit_events_name_the_object(entries):
    first, second = lines(render(entries, "audit"))

    assert first["objectRef"] == {
        "resource": "configmaps",
        "namespace": "default",
        "name": "a-b",
        "apiVersion": "v1",
    }
    assert first["requestObject"]["kind"] == "ConfigMap"
    assert second["responseStatus"]["reason"] == "NotFound"


def test_markdown_tells_writes_and_failures(entries):
    rows = render(entries, "markdown").splitlines()[2:]

    assert [row.split(" | ")[3:5] for row in rows] == [
        ["patch", "configmaps default/a-b"],
        ["get", "configmaps default/missing"],
    ]


def test_an_unknown_format_is_refused_with_those_there_are(entries):
    with pytest.raises(ValueError, match="no export 'xml': expected one of jsonl, har, audit, markdown"):
        render(entries, "xml")


@pytest.mark.parametrize("form", sorted(FORMATS))
def test_an_entry_is_looked_at_when_its_piece_is_taken(entries, form):
    read = []
    piece = pieces((read.append(entry) or entry for entry in entries), form)

    taken = next(piece)

    assert (bool(taken), len(read) <= 1) == (True, True)
    assert (taken + b"".join(piece)).decode() == render(entries, form)
    assert len(read) == len(entries)
