"""The life of an object through the verbs (FK-060, FK-074, FK-105, FK-112, FK-113)."""

CONFIGMAPS = "/api/v1/namespaces/ns/configmaps"
WIDGETS = "/apis/demo.example.com/v1/namespaces/ns/widgets"


def config_map(name, **fields):
    return {"metadata": {"name": name}, **fields}


def widget(name, **fields):
    return {"apiVersion": "demo.example.com/v1", "kind": "Widget", **config_map(name, **fields)}


def test_create_then_get_answers_the_same_object_fk_074(ask):
    code, created = ask("POST", CONFIGMAPS, config_map("a", data={"k": "1"}))

    assert code == 201
    assert ask("GET", f"{CONFIGMAPS}/a") == (200, created)


def test_a_widget_counts_generations_of_its_spec_fk_105(ask):
    _, created = ask("POST", WIDGETS, widget("w", spec={"size": 1}))

    _, patched = ask(
        "PATCH", f"{WIDGETS}/w", {"spec": {"size": 2}}, content_type="application/merge-patch+json"
    )

    assert (created["metadata"]["generation"], patched["metadata"]["generation"]) == (1, 2)


def test_an_update_without_a_change_keeps_the_revision_fk_106(ask):
    _, created = ask("POST", CONFIGMAPS, config_map("a", data={"k": "1"}))

    assert ask("PUT", f"{CONFIGMAPS}/a", created) == (200, created)


def test_delete_answers_with_a_status_fk_112(ask):
    _, created = ask("POST", CONFIGMAPS, config_map("a"))

    code, body = ask("DELETE", f"{CONFIGMAPS}/a")

    assert (code, body["status"], body["details"]["uid"]) == (200, "Success", created["metadata"]["uid"])


def test_finalizers_delay_the_end_fk_113_fk_109(ask):
    ask("POST", CONFIGMAPS, {"metadata": {"name": "a", "finalizers": ["x.io/y"]}})

    _, marked = ask("DELETE", f"{CONFIGMAPS}/a")
    ask(
        "PATCH",
        f"{CONFIGMAPS}/a",
        {"metadata": {"finalizers": None}},
        content_type="application/merge-patch+json",
    )

    assert "deletionTimestamp" in marked["metadata"]
    assert ask("GET", f"{CONFIGMAPS}/a")[0] == 404


def test_a_list_shows_what_is_there_fk_131(ask):
    ask("POST", CONFIGMAPS, config_map("b"))
    ask("POST", CONFIGMAPS, config_map("a"))

    _, listed = ask("GET", CONFIGMAPS)

    assert [config["metadata"]["name"] for config in listed["items"]] == ["a", "b"]


def test_a_watch_starts_with_what_is_there_fk_140(ask):
    ask("POST", CONFIGMAPS, config_map("a"))

    stream = ask.send("GET", f"{CONFIGMAPS}?watch=1")

    assert [frame.startswith(b'{"type":"ADDED"') for frame in stream.initial] == [True]


def test_every_request_leaves_a_journal_entry(ask):
    ask("POST", CONFIGMAPS, config_map("a"))

    entry = ask.api.journal.of("configmaps", "ns", "a")[-1]

    assert (entry.verb, entry.code, entry.before, entry.after["metadata"]["name"]) == (
        "create",
        201,
        None,
        "a",
    )
