"""Bodies that are small and grow, or that nest without end: refused, at once, whatever the verb and the
format (FK-041, issue §7).
"""

import pytest

from fakecluster.patch.json.nesting import MAX_DEPTH

URL = "/apis/demo.example.com/v1/namespaces/ns/widgets"
MERGE, STRATEGIC, JSON_PATCH, APPLY, YAML = (
    "application/merge-patch+json",
    "application/strategic-merge-patch+json",
    "application/json-patch+json",
    "application/apply-patch+yaml",
    "application/yaml",
)
HEAD = b'{"apiVersion": "demo.example.com/v1", "kind": "Widget", "metadata": {"name": "a"}, "x": '
MAPS, LISTS = b'{"a": ' * 5000 + b"1" + b"}" * 5000, b"[" * 5000 + b"]" * 5000
ALIASES = b"a: &a [x, x, x, x, x, x, x, x, x]\n" + b"".join(
    b"%c: &%c [%s]\n" % (98 + turn, 98 + turn, b", ".join([b"*%c" % (97 + turn)] * 9)) for turn in range(12)
)
DEEP = "exceeded max depth"


def deeper(*path, levels=100):
    """A JSON patch that adds so many levels below a path of maps named `a`."""
    value = {}
    for _ in range(levels - 1):
        value = {"a": value}
    return {"op": "add", "path": "".join(f"/{step}" for step in path), "value": value}


def widget(name):
    return {"apiVersion": "demo.example.com/v1", "kind": "Widget", "metadata": {"name": name}}


def nest(levels):
    """An object of so many levels, itself the first."""
    return HEAD + b'{"a": ' * (levels - 2) + b"{}" + b"}" * (levels - 2) + b"}"


@pytest.mark.parametrize(
    ("method", "url", "body", "kind", "message"),
    [
        pytest.param("POST", URL, HEAD + MAPS + b"}", "application/json", DEEP, id="maps"),
        pytest.param("POST", URL, LISTS, "application/json", DEEP, id="lists"),
        pytest.param("POST", URL, b"[" * 3_000_000, "application/json", DEEP, id="open lists"),
        pytest.param("PUT", f"{URL}/w", HEAD + MAPS + b"}", "application/json", DEEP, id="update"),
        pytest.param("PATCH", f"{URL}/w", HEAD + MAPS + b"}", MERGE, DEEP, id="merge patch"),
        pytest.param("PATCH", f"{URL}/w", LISTS, JSON_PATCH, DEEP, id="json patch"),
        pytest.param("PATCH", f"{URL}/w?fieldManager=m", HEAD + MAPS + b"}", APPLY, DEEP, id="apply"),
        pytest.param("DELETE", f"{URL}/w", LISTS, "application/json", DEEP, id="delete options"),
        pytest.param("POST", URL, b"a: " + LISTS, YAML, DEEP, id="yaml flow"),
        pytest.param("POST", URL, b"- " * 700_000, YAML, DEEP, id="yaml blocks"),
        pytest.param("POST", URL, ALIASES, YAML, "document contains excessive aliasing", id="yaml aliases"),
        pytest.param("POST", URL, b"a: &a [*a, *a]", YAML, "yaml: ", id="yaml that contains itself"),
        pytest.param(
            "PATCH", f"{URL}/w?fieldManager=m", ALIASES, APPLY, "excessive aliasing", id="aliases applied"
        ),
        pytest.param("POST", URL, b"a: " + b"9" * 100_000, YAML, "Kind' is missing", id="yaml number"),
    ],
)
def test_a_bomb_is_refused(ask, method, url, body, kind, message):
    ask("POST", URL, widget("w"))

    code, answer = ask(method, url, body, content_type=kind)

    assert (code, message in answer["message"]) == (400, True)


@pytest.mark.parametrize(
    ("method", "url", "kind"),
    [
        pytest.param("POST", URL, "application/json", id="create"),
        pytest.param("POST", URL, YAML, id="create from yaml"),
        pytest.param("PATCH", f"{URL}/a", MERGE, id="merge patch"),
        pytest.param("PATCH", f"{URL}/a?fieldManager=m", APPLY, id="apply"),
    ],
)
def test_the_deepest_body_that_is_taken_is_worked_on(ask, method, url, kind):
    ask("POST", URL, widget("a")) if method == "PATCH" else None

    code, created = ask(method, url, nest(MAX_DEPTH), content_type=kind)

    assert (code, "x" in created) == (201 if method == "POST" else 200, True)
    metadata = {**created["metadata"], "managedFields": None}
    assert ask("PUT", f"{URL}/a", {**created, "metadata": metadata})[0] == 200


REFUSED = "the server rejected our request due to an error in our request"


def test_patches_that_nest_deeper_one_after_another_are_refused(ask):
    ask("POST", URL, widget("a"))
    first, second = deeper("x"), deeper("x", *"a" * 100)

    answers = [
        ask("PATCH", f"{URL}/a", [operation], content_type=JSON_PATCH) for operation in (first, second)
    ]

    assert [code for code, _ in answers] == [200, 422]
    assert (answers[1][1]["message"], answers[1][1]["details"]) == (REFUSED, {})
    assert (ask("GET", f"{URL}/a")[0], ask("GET", URL)[0]) == (200, 200)


@pytest.mark.parametrize(
    "operations",
    [
        pytest.param([deeper("x", *"a" * (100 * turn)) for turn in range(30)], id="additions"),
        pytest.param([deeper("x"), {"op": "copy", "from": "/x", "path": "/x" + "/a" * 100}], id="copy"),
        pytest.param(
            [deeper("x"), deeper("y"), {"op": "move", "from": "/y", "path": "/x" + "/a" * 100}], id="move"
        ),
        pytest.param([deeper("x"), {**deeper("x", *"a" * 99), "op": "replace"}], id="replacement"),
    ],
)
def test_a_patch_whose_operations_nest_deeper_together_is_refused(ask, operations):
    ask("POST", URL, widget("a"))

    code, answer = ask("PATCH", f"{URL}/a", operations, content_type=JSON_PATCH)

    assert (code, answer["message"]) == (422, REFUSED)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        pytest.param(MERGE, {"y": {"z": 1}}, id="merge patch"),
        pytest.param(f"{APPLY}", {**widget("a"), "y": {"z": 1}}, id="apply"),
        pytest.param(JSON_PATCH, [{"op": "add", "path": "/y", "value": 1}], id="json patch"),
    ],
)
def test_the_deepest_object_can_be_patched(ask, kind, body):
    ask("POST", URL, nest(MAX_DEPTH))

    code, created = ask(
        "PATCH", f"{URL}/a?{'fieldManager=m&force=true' if kind == APPLY else ''}", body, content_type=kind
    )

    assert (code, "y" in created, "x" in created) == (200, True, True)
