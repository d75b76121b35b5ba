"""The journal: who did what to which object, and how it looked before and after."""

import pytest

URL = "/api/v1/namespaces/ns/configmaps"
MERGE = "application/merge-patch+json"


@pytest.fixture
def story(ask):
    ask("POST", f"{URL}?fieldManager=maker", {"metadata": {"name": "a"}, "data": {"k": "1"}})
    ask("PATCH", f"{URL}/a", {"data": {"k": "2"}}, content_type=MERGE)
    ask("GET", f"{URL}/a")
    ask("PATCH", f"{URL}/a", {"data": {"k": 5}}, content_type=MERGE)
    ask("DELETE", f"{URL}/a")
    return ask.api.journal


def test_an_objects_story_is_complete(story):
    entries = story.of("configmaps", "ns", "a")

    assert [(entry.verb, entry.code, entry.reason) for entry in entries] == [
        ("create", 201, ""),
        ("patch", 200, ""),
        ("get", 200, ""),
        ("patch", 422, "Invalid"),
        ("delete", 200, ""),
    ]


def test_a_write_shows_before_and_after(story):
    patched = story.of("configmaps", "ns", "a")[1]

    assert (patched.before["data"], patched.after["data"]) == ({"k": "1"}, {"k": "2"})
    assert int(patched.revision_after) == int(patched.revision_before) + 1
    assert (patched.patch_type, patched.body) == (MERGE, b'{"data":{"k":"2"}}')


def test_the_end_has_no_after(story):
    (end,) = story.where(verb="delete")

    assert (end.before["data"], end.after) == ({"k": "2"}, None)


def test_actors_are_named(story):
    (created,) = story.where(verb="create", resource="configmaps")

    assert (created.user, created.user_agent, created.manager) == ("admin", "test/1.0", "maker")


def test_numbers_go_on(story, ask):
    last_entry = story.last
    ask("GET", URL)

    (entry,) = story.since(last_entry)

    assert (entry.seq, entry.verb, entry.wrote) == (last_entry + 1, "list", False)


def test_objects_are_references_into_the_store(ask):
    ask("POST", URL, {"metadata": {"name": "a"}})

    assert ask.api.journal.writes()[-1].after is ask.api.store.get(("", "configmaps"), ("ns", "a")).object


def test_nothing_is_written_by_trying(ask):
    ask("POST", f"{URL}?dryRun=All", {"metadata": {"name": "a"}})

    (entry,) = ask.api.journal.of("configmaps", "ns", "a")

    assert (entry.dry_run, entry.wrote) == (True, False)
