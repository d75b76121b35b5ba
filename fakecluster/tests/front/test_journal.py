"""What the journal of a front tells: who asked for what, and whether it changed anything (F-01)."""

from __future__ import annotations

import json

import pytest

from .conftest import MAPS, Client, config_map

MAP = f"{MAPS}/a"
MERGE = "application/merge-patch+json"


@pytest.fixture
def there(behind):
    """A config map that is there."""
    return behind.request("POST", MAPS, config_map("a"))


def only(front):
    """Return the one entry."""
    (entry,) = front.journal
    return entry


def test_a_creation_has_its_object(front, client):
    _, created = client.ask("POST", f"{MAPS}?fieldManager=me", config_map("a"))
    entry = only(front)

    assert (
        entry.user,
        entry.user_agent,
        entry.manager,
        entry.verb,
        entry.resource,
        entry.namespace,
        entry.name,
    ) == (
        "anna",
        "client/1",
        "me",
        "create",
        "configmaps",
        "default",
        "a",
    )
    assert (entry.code, entry.before, entry.after, entry.revision_after) == (
        201,
        None,
        created,
        created["metadata"]["resourceVersion"],
    )


def test_a_read_has_the_size_of_its_answer(front, client, there):
    size = len(client.send("GET", f"{MAP}?pretty=1").read())
    entry = only(front)

    assert (entry.verb, entry.answered, entry.query, entry.wrote, entry.manager) == (
        "get",
        size,
        (("pretty", "1"),),
        False,
        "",
    )


def test_a_refusal_has_its_words(front, client, there):
    code, status = client.ask("POST", MAPS, config_map("a"))
    entry = only(front)

    assert (entry.code, entry.reason, entry.message, entry.wrote) == (
        code,
        "AlreadyExists",
        status["message"],
        False,
    )


@pytest.mark.parametrize(("value", "wrote"), [("2", True), ("1", False)], ids=["another", "the-same"])
def test_a_patch_that_changes_nothing_wrote_nothing(front, client, there, value, wrote):
    client.merge("a", value)
    entry = only(front)

    assert (entry.wrote, entry.patch_type, entry.manager) == (wrote, MERGE, "client")
    assert json.loads(entry.body) == {"data": {"k": value}}


def test_a_change_has_both_states(front, client, there):
    client.merge("a", "2")
    entry = only(front)

    assert (entry.before["data"], entry.after["data"]) == ({"k": "1"}, {"k": "2"})


@pytest.mark.parametrize(
    ("data", "wrote"), [({"k": "2"}, True), ({"k": "1"}, False)], ids=["another", "the-same"]
)
def test_an_update_that_changes_nothing_wrote_nothing(front, client, there, data, wrote):
    client.ask("PUT", MAP, {**there, "data": data})

    assert only(front).wrote == wrote


def test_what_is_only_tried_writes_nothing(front, client, there):
    client.ask("PATCH", f"{MAP}?dryRun=All", {"data": {"k": "2"}}, Content_Type=MERGE)
    entry = only(front)

    assert (entry.code, entry.dry_run, entry.wrote) == (200, True, False)


def test_a_deletion_has_what_was_there(front, client, there):
    client.ask("DELETE", MAP)
    entry = only(front)

    assert (entry.wrote, entry.before["data"], entry.after) == (True, {"k": "1"}, None)


def test_what_waits_for_its_finalizer_goes_with_it(front, client, behind):
    behind.request("POST", MAPS, {"metadata": {"name": "a", "finalizers": ["a.b/c"]}})
    client.ask("DELETE", MAP)
    client.ask("PATCH", MAP, {"metadata": {"finalizers": None}}, Content_Type=MERGE)
    first, second = front.journal

    assert (first.after["metadata"]["finalizers"], second.wrote, second.after) == (["a.b/c"], True, None)


def test_a_deletion_of_many_has_each(front, client, behind):
    for name in ("a", "b"):
        behind.request("POST", MAPS, config_map(name))
    client.ask("DELETE", MAPS)

    assert sorted(entry.before["metadata"]["name"] for entry in only(front).changes) == ["a", "b"]


def test_a_subresource_that_answers_something_else_has_the_object(front, client, behind):
    deployments = "/apis/apps/v1/namespaces/default/deployments"
    labels = {"matchLabels": {"a": "b"}}
    template = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
    behind.request(
        "POST", deployments, {"metadata": {"name": "d"}, "spec": {"selector": labels, "template": template}}
    )
    client.ask("PATCH", f"{deployments}/d/scale", {"spec": {"replicas": 3}}, Content_Type=MERGE)
    entry = only(front)

    assert (entry.subresource, entry.after["kind"], entry.after["spec"]["replicas"]) == (
        "scale",
        "Deployment",
        3,
    )


def test_a_watch_is_told_when_it_begins(front, client):
    client.send("GET", f"{MAPS}?watch=1")
    entry = only(front)

    assert (entry.verb, entry.code, entry.answered) == ("watch", 200, 0)


def test_users_are_told_apart(front, client, other):
    client.ask("GET", MAPS)
    other.ask("GET", MAPS)

    assert [entry.user for entry in front.journal] == ["anna", "bert"]


def test_one_user_has_one_token(front):
    assert front.token("anna") == front.token("anna") != front.token("bert")


def test_reads_of_its_own_are_not_told(front, behind, client, there):
    client.merge("a", "2")

    assert [entry.verb for entry in behind.journal.where(user_agent="fakecluster-front")] == ["get"]
    assert [entry.verb for entry in front.journal] == ["patch"]


def test_protobuf_is_read_too(front, client, there):
    client.send(
        "PATCH", MAP, {"data": {"k": "2"}}, Content_Type=MERGE, Accept="application/vnd.kubernetes.protobuf"
    ).read()
    entry = only(front)

    assert (entry.wrote, entry.after["data"]) == (True, {"k": "2"})


def test_a_client_of_another_name_is_the_manager_of_what_it_writes(front):
    client = Client(front, "anna", agent="kubectl/v1.36.3 (linux/amd64)")
    client.ask("POST", MAPS, config_map("a"))
    client.link.close()

    assert only(front).manager == "kubectl"
