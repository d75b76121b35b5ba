"""Secrets do not leave the process with the journal, however they came (issue 16, 14)."""

from __future__ import annotations

from base64 import b64encode

import orjson
import pytest

from fakecluster import FakeCluster
from fakecluster.codec.protobuf.writer import encode
from fakecluster.journal import Entry, redact, redact_object
from fakecluster.journal.exports import FORMATS, render
from fakecluster.journal.redaction import MARK, redact_text

VALUE = "hunter2-hunter2"
CODED = b64encode(VALUE.encode()).decode()
SECRETS = "/api/v1/namespaces/default/secrets"
SECRET = {
    "metadata": {"name": "s", "annotations": {"kubectl.kubernetes.io/last-applied-configuration": VALUE}},
    "data": {"key": CODED},
}
FULL = {"apiVersion": "v1", "kind": "Secret", **SECRET}
WRITES = [
    pytest.param("POST", SECRETS, orjson.dumps(SECRET), "application/json", id="create"),
    pytest.param("POST", SECRETS, orjson.dumps({"metadata": {"name": "s"}, "stringData": {"key": VALUE}}), "application/json", id="text"),
    pytest.param("POST", SECRETS, encode("v1", "Secret", FULL), "application/vnd.kubernetes.protobuf", id="protobuf"),
    pytest.param("POST", SECRETS, f"{{stringData: {{key: {VALUE}}}, metadata: {{name: s}}}}".encode(), "application/yaml", id="YAML"),
    pytest.param("POST", SECRETS, f'{{"stringData": {{"key": "{VALUE}"'.encode(), "application/json", id="half a body"),
    pytest.param("POST", SECRETS, b'{"a":' * 900 + f'"{VALUE}"'.encode() + b"}" * 900, "application/json", id="deep body"),
    pytest.param("PUT", f"{SECRETS}/old", orjson.dumps({**FULL, "metadata": {"name": "old"}}), "application/json", id="update"),
    pytest.param("PATCH", f"{SECRETS}/old", orjson.dumps({"data": {"key": CODED}}), "application/merge-patch+json", id="merge patch"),
    pytest.param("PATCH", f"{SECRETS}/old", orjson.dumps({"stringData": VALUE}), "application/merge-patch+json", id="wrong type"),
    pytest.param("PATCH", f"{SECRETS}/old", orjson.dumps([{"op": "add", "path": "/data/key", "value": CODED}]), "application/json-patch+json", id="JSON patch"),
    pytest.param("PATCH", f"{SECRETS}/s?fieldManager=m", orjson.dumps(FULL), "application/apply-patch+yaml", id="apply"),
    pytest.param("DELETE", f"{SECRETS}/old", b"", "application/json", id="delete"),
]  # fmt: skip


@pytest.fixture(scope="module")
def base():
    with FakeCluster(controllers="none", tls=False) as cluster:
        cluster.request("POST", SECRETS, {**SECRET, "metadata": {"name": "old"}})
        yield cluster


def send(cluster, method, path, body, content_type):
    import http.client
    from urllib.parse import urlsplit

    link = http.client.HTTPConnection(urlsplit(cluster.url).netloc, timeout=10)
    link.request(
        method, path, body, {"Authorization": f"Bearer {cluster.token()}", "Content-Type": content_type}
    )
    link.getresponse().read()
    link.close()


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(("method", "path", "body", "content_type"), WRITES)
def test_the_value_of_a_secret_is_in_no_export(base, form, method, path, body, content_type):
    with base.fork() as cluster:
        send(cluster, method, path, body, content_type)
        text = render(cluster.journal, form)

    assert len(cluster.journal.all) >= 1
    assert VALUE not in text
    assert CODED not in text


def test_the_entry_in_the_process_is_as_it_was(base):
    with base.fork() as cluster:
        cluster.request("POST", SECRETS, SECRET)
        (entry,) = cluster.journal.all

    assert entry.after["data"] == orjson.loads(entry.body)["data"] == {"key": CODED}
    assert redact(entry).after["data"] == {"key": MARK}
    assert redact(entry).after["metadata"]["name"] == "s"


def test_what_is_no_secret_is_told_as_it_was(base):
    with base.fork() as cluster:
        cluster.request(
            "POST", "/api/v1/namespaces/default/configmaps", {"metadata": {"name": "c"}, "data": {"key": "v"}}
        )
        (entry,) = cluster.journal.all

    assert (redact(entry).changes, redact(entry).body) == (entry.changes, entry.body)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        pytest.param(
            {"kind": "SecretList", "items": [SECRET]}, {"data": {"key": MARK}}, id="list of its kind"
        ),
        pytest.param({"kind": "List", "items": [FULL]}, {"data": {"key": MARK}}, id="list of anything"),
        pytest.param(
            {"kind": "AdmissionReview", "request": {"object": FULL}}, {"data": {"key": MARK}}, id="review"
        ),
        pytest.param(
            {"kind": "TokenRequest", "status": {"token": VALUE}}, {"token": MARK}, id="token that was made"
        ),
        pytest.param(
            {"kind": "TokenReview", "spec": {"token": VALUE}}, {"token": MARK}, id="token that is asked about"
        ),
        pytest.param(
            {"kind": "Config", "users": [{"user": {"token": VALUE}}]}, {"token": MARK}, id="kubeconfig"
        ),
    ],
)
def test_objects_that_hold_secrets_are_known(value, shown):
    text = orjson.dumps(redact_object(value)).decode()

    assert VALUE not in text
    assert CODED not in text
    assert orjson.dumps(shown).decode()[1:-1] in text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param(f"Authorization: Bearer {VALUE}{VALUE}", f"Authorization: Bearer {MARK}", id="header"),
        pytest.param(
            f'"Authorization": "Basic {VALUE}{VALUE}"',
            f'"Authorization": "Basic {MARK}"',
            id="another scheme",
        ),
        pytest.param("a eyJhbGciOiJ9.eyJzdWIiOiJ9.c2lnbmF0dXJl b", f"a {MARK} b", id="token of an account"),
        pytest.param(
            f"x -----BEGIN RSA PRIVATE KEY-----\n{VALUE}\n-----END RSA PRIVATE KEY----- y",
            f"x {MARK} y",
            id="key",
        ),
        pytest.param(f"-----BEGIN PRIVATE KEY-----\n{VALUE}", MARK, id="half a key"),
        pytest.param(
            f"current-context: a\nusers:\n- user: {{token: {VALUE}}}",
            f"current-context: a\nusers:\n- user: {{token: {MARK}}}",
            id="kubeconfig",
        ),
        pytest.param(
            '{"client-key-data":"abc","token":"def"}',
            f'{{"client-key-data":"{MARK}","token":"{MARK}"}}',
            id="kubeconfig in JSON",
        ),
        pytest.param(
            "the bearer of this letter; token: 5", "the bearer of this letter; token: 5", id="prose"
        ),
    ],
)
def test_texts_that_hold_secrets_are_known(text, shown):
    assert redact_text(text) == shown


def entry_of(resource, body=b"", subresource="", notes=None):
    return Entry(
        time=0.0,
        audit_id="a",
        user="u",
        verb="create",
        path="/x",
        code=201,
        resource=resource,
        subresource=subresource,
        body=body,
        notes=notes or {},
    )


@pytest.mark.parametrize(
    ("resource", "body"),
    [
        pytest.param(
            "tokenreviews", orjson.dumps({"spec": {"token": VALUE}}), id="token that is asked about"
        ),
        pytest.param(
            "serviceaccounts/token", orjson.dumps({"status": {"token": VALUE}}), id="token that is made"
        ),
        pytest.param("configmaps", encode("v1", "Secret", FULL), id="protobuf Secret elsewhere"),
    ],
)
def test_a_body_that_holds_secrets_is_known_by_its_resource_or_its_kind(resource, body):
    plural, _, subresource = resource.partition("/")

    redacted = redact(entry_of(plural, body, subresource)).body

    assert (VALUE.encode() in redacted, CODED.encode() in redacted, b"redacted" in redacted) == (
        False,
        False,
        True,
    )


def test_what_a_webhook_made_of_a_secret_is_hidden():
    patch = orjson.dumps([{"op": "add", "path": "/data/key", "value": CODED}]).decode()
    notes = {"webhooks": [{"name": "w", "allowed": True, "patch": patch}]}

    assert redact(entry_of("secrets", notes=notes)).notes == {
        "webhooks": [{"name": "w", "allowed": True, "patch": MARK}]
    }
    assert redact(entry_of("configmaps", notes=notes)).notes == notes


def test_a_token_in_a_note_is_hidden():
    token = "eyJhbGciOiJ9.eyJzdWIiOiJ9.c2lnbmF0dXJl"

    assert redact(entry_of("configmaps", notes={"not applicable": f"/{token}"})).notes == {
        "not applicable": f"/{MARK}"
    }


def test_a_token_in_a_query_or_a_path_is_hidden():
    token = "eyJhbGciOiJ9.eyJzdWIiOiJ9.c2lnbmF0dXJl"
    entry = Entry(
        time=0.0, audit_id="a", user="u", verb="get", path=f"/x/{token}", query=(("token", token),), code=404
    )

    assert redact(entry).path == f"/x/{MARK}"
    assert redact(entry).query == (("token", MARK),)


def test_a_failed_assertion_quotes_no_secret(base):
    with base.fork() as cluster:
        send(
            cluster,
            "PATCH",
            f"{SECRETS}/old",
            orjson.dumps({"stringData": VALUE}),
            "application/merge-patch+json",
        )
        with pytest.raises(AssertionError) as raised:
            cluster.journal.assert_never(verb="patch")

    assert "cannot unmarshal" in str(raised.value)
    assert VALUE not in str(raised.value)
    assert CODED not in str(raised.value)


def test_beginnings_of_tokens_are_passed_in_one_go():
    """With the square of their number this would take minutes."""
    text = "eyJ-" * 100_000

    assert redact_text(text) == text
