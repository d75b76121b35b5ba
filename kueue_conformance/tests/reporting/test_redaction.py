"""What Secrets hold is in nothing that is kept of a run."""

import base64
import stat
from dataclasses import replace

import orjson
import pytest

from kueue_conformance.history.story import Request
from kueue_conformance.report.evidence import Folder, read, write
from kueue_conformance.report.redaction import MARK, Redaction
from kueue_conformance.report.story.bundle import pack

from .stories import ABOUT, CHANGES, KEPT, change

WORD = 'open "sesame"'
CODED = base64.b64encode(WORD.encode()).decode()
SECRET = {"kind": "Secret", "metadata": {"name": "s"}, "data": {"word": CODED}}
APPLIED = {"kubectl.kubernetes.io/last-applied-configuration": orjson.dumps(SECRET).decode()}


def request_with(body, resource="secrets", **fields):
    sent_body = body if isinstance(body, bytes) else orjson.dumps(body)
    return Request(at=1.0, verb="create", resource=resource, code=201, body=sent_body, **fields)


@pytest.mark.parametrize(
    ("request_", "kept_body"),
    [
        pytest.param(request_with(SECRET), {**SECRET, "data": {"word": MARK}}, id="data"),
        pytest.param(request_with({"stringData": {"word": WORD}}), {"stringData": {"word": MARK}}, id="text"),
        pytest.param(
            request_with(b"stringData:\n  word: open sesame"),
            {"stringData": {"word": MARK}},
            id="applied in YAML",
        ),
        pytest.param(
            request_with([{"op": "add", "path": "/data/word", "value": CODED}]),
            [{"op": "add", "path": "/data/word", "value": MARK}],
            id="JSON patch",
        ),
        pytest.param(
            request_with({"metadata": {"annotations": APPLIED}}),
            {"metadata": {"annotations": dict.fromkeys(APPLIED, MARK)}},
            id="last applied",
        ),
        pytest.param(
            request_with({"spec": {"token": WORD}}, "tokenreviews"), {"spec": {"token": MARK}}, id="token"
        ),
        pytest.param(request_with(b"k8s\x00\n\x0b" + WORD.encode()), b"", id="protobuf"),
    ],
)
def test_a_request_keeps_its_shape_and_loses_its_values(request_, kept_body):
    redacted_body = Redaction.of((), [request_]).request(request_).body

    assert (orjson.loads(redacted_body) if redacted_body else redacted_body) == kept_body


def test_a_change_of_a_secret_loses_its_values():
    secret_change = change(1, "subject", None, SECRET, kind="Secret", name="s")

    assert Redaction.of([secret_change], ()).change(secret_change).after["data"] == {"word": MARK}


def test_a_change_of_a_secret_loses_short_values_too():
    secret_change = change(1, "subject", None, {**SECRET, "data": {"pin": "MTIz"}}, kind="Secret", name="s")

    assert Redaction.of([secret_change], ()).change(secret_change).after["data"] == {"pin": MARK}


@pytest.mark.parametrize(
    ("secret_body", "text"),
    [
        pytest.param({"stringData": {"word": WORD}}, CODED, id="written in base64"),
        pytest.param({"data": {"word": CODED}}, WORD, id="decoded"),
        pytest.param({"stringData": {"word": WORD}}, orjson.dumps(WORD).decode(), id="quoted"),
    ],
)
def test_a_value_is_known_in_other_forms(secret_body, text):
    hidden = Redaction.of((), [request_with(secret_body)])

    assert ("sesame" in hidden.text(text), CODED in hidden.text(text)) == (False, False)


def test_a_value_is_taken_out_of_every_other_text(tmp_path):
    about = {**ABOUT, "text": f"it printed {WORD}"}
    other = request_with({"data": {"copy": WORD}}, "configmaps", message=f"no {CODED}")
    change_with_word = change(9, "kueue", None, {"metadata": {"annotations": {"a": WORD}}}, kind="ConfigMap")
    story = tmp_path / "story.ndjson"

    story.write_bytes(
        write(
            replace(
                KEPT,
                about=about,
                changes=(*CHANGES, change_with_word),
                requests=(request_with(SECRET), other),
            )
        )
    )

    written_bytes = story.read_bytes() + pack("b.zip", story, "failed")
    assert [secret_text for secret_text in ("sesame", CODED) if secret_text.encode() in written_bytes] == []
    assert read(story).about["text"] == f"it printed {MARK}"


def test_a_story_without_secrets_is_kept_as_it_was(tmp_path):
    story = tmp_path / "story.ndjson"
    story.write_bytes(write(KEPT))

    assert read(story).requests == list(KEPT.requests)


def test_evidence_is_its_owners_alone(tmp_path):
    name = Folder(tmp_path).write("story.ndjson", b"x")

    assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600
