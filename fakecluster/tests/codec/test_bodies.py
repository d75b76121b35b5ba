"""Bodies and options of writes: what is read, what is refused in which words (FK-024, FK-041…FK-047,
FK-076…FK-078, FK-233).
"""

import pytest

URL = "/api/v1/namespaces/ns/configmaps"
WIDGETS = "/apis/demo.example.com/v1/namespaces/ns/widgets"
UNREAD = "the object provided is unrecognized (must be of type ConfigMap): "
JSON_ERROR = "couldn't get version/kind; json parse error: "


@pytest.mark.parametrize(
    ("url", "body", "code", "text"),
    [
        pytest.param(URL, b"{", 400, f"{UNREAD}{JSON_ERROR}unexpected end of JSON input ({{)", id="cut off"),
        pytest.param(
            URL,
            b"hello",
            400,
            f"{UNREAD}{JSON_ERROR}invalid character 'h' looking for beginning of value (68656c6c6f)",
            id="text",
        ),
        pytest.param(
            URL,
            b'{"apiVersion":"v1", "kind":"ConfigMap", "metadata": {"name" "x"}}',
            400,
            f'{UNREAD}{JSON_ERROR}invalid character \'"\' after object key ({{"apiVersion":"v1", "kind":"Co ...)',
            id="no colon",
        ),
        pytest.param(
            URL,
            {"kind": "Nope"},
            400,
            'Nope in version "v1" cannot be handled as a ConfigMap: no kind "Nope" is registered for version "v1" in scheme '
            '"pkg/runtime/scheme.go:111"',
            id="unknown kind fk-041",
        ),
        pytest.param(
            URL,
            {"kind": "Namespace", "apiVersion": "v1"},
            400,
            'Namespace in version "v1" cannot be handled as a ConfigMap: converting (v1.Namespace) to (core.ConfigMap): '
            "unknown conversion",
            id="another kind fk-041",
        ),
        pytest.param(
            URL,
            {"metadata": {"name": "a", "labels": {"a": 1}}},
            400,
            'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field '
            "ObjectMeta.metadata.labels of type string",
            id="type",
        ),
        pytest.param(
            URL,
            {"metadata": {"name": "a", "namespace": "b"}},
            400,
            "the namespace of the provided object does not match the namespace sent on the request",
            id="namespace fk-044",
        ),
        pytest.param(
            URL,
            {"metadata": {"name": "a", "resourceVersion": "5"}},
            500,
            "resourceVersion should not be set on objects to be created",
            id="revision fk-047",
        ),
        pytest.param(
            WIDGETS,
            b"{}",
            400,
            "the object provided is unrecognized (must be of type Widget): Object 'Kind' is missing in '{}' ({})",
            id="kindless custom",
        ),
        pytest.param(
            WIDGETS,
            {"kind": "Widget"},
            400,
            "the API version in the data () does not match the expected API version (demo.example.com/v1)",
            id="versionless fk-043",
        ),
        pytest.param(
            WIDGETS,
            {"kind": "Other", "apiVersion": "demo.example.com/v1", "metadata": {"name": "k"}},
            422,
            'Other.demo.example.com "k" is invalid: kind: Invalid value: "Other": must be Widget',
            id="wrong custom kind",
        ),
    ],
)
def test_bad_bodies_are_named(ask, url, body, code, text):
    stored, answer = ask("POST", url, body)

    assert (stored, answer["message"]) == (code, text)


def test_an_unknown_format_is_refused_fk_024(ask):
    assert ask("POST", URL, b"a", content_type="text/plain")[0] == 415


def test_yaml_is_as_good_as_json_fk_026(ask):
    body = b"metadata: {name: a}\ndata: {when: 2020-01-01}\n"

    code, created = ask("POST", URL, body, content_type="application/yaml")

    assert (code, created["data"]) == (201, {"when": "2020-01-01"})


STRICT = b'{"foo":1,"metadata":{"name":"s","zip":1},"data":{"x":"1","x":"2"},"bar":2}'
FOUND = [
    'unknown field "foo"',
    'unknown field "metadata.zip"',
    'duplicate field "data.x"',
    'unknown field "bar"',
]


def test_strict_bodies_are_refused_in_their_order_fk_233(ask):
    _, answer = ask("POST", f"{URL}?fieldValidation=Strict", STRICT)

    assert answer["message"].endswith("strict decoding error: " + ", ".join(FOUND))


@pytest.mark.parametrize(
    ("validation", "count"),
    [("Warn", 4), ("", 4), ("Ignore", 0)],
    ids=["Warn fk-234", "default", "Ignore fk-235"],
)
def test_other_bodies_are_stored_with_warnings(ask, validation, count):
    outcome = ask.send("POST", f"{URL}?fieldValidation={validation}", STRICT)

    assert (outcome.code, len([name for name, _ in outcome.headers if name == "Warning"])) == (201, count)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        pytest.param(
            "dryRun=Some", 'dryRun: Unsupported value: ["Some"]: supported values: "All"', id="dryRun fk-077"
        ),
        pytest.param(
            "dryRun=", 'dryRun: Unsupported value: [""]: supported values: "All"', id="empty dryRun fk-077"
        ),
        pytest.param(
            "fieldValidation=Foo",
            'fieldValidation: Unsupported value: "Foo": supported values: "", "Ignore", "Strict", "Warn"',
            id="fk-078",
        ),
        pytest.param(
            "fieldManager=a%07b",
            'fieldManager: Invalid value: "a\\ab": invalid character U+0007 (at position 1)',
            id="fk-076",
        ),
    ],
)
def test_bad_options_are_named(ask, query, text):
    code, answer = ask("POST", f"{URL}?{query}", {"metadata": {"name": "a"}})

    assert (code, answer["message"]) == (422, f'CreateOptions.meta.k8s.io "" is invalid: {text}')


def test_a_dry_run_leaves_nothing_but_an_answer_fk_230(ask):
    code, created = ask("POST", f"{URL}?dryRun=All", {"metadata": {"generateName": "gen-"}})

    assert (code, "uid" in created["metadata"], "resourceVersion" in created["metadata"]) == (
        201,
        True,
        False,
    )
    assert ask("GET", URL)[1]["items"] == []
