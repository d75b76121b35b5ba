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


def sent(body, resource="secrets", **more):
    said = body if isinstance(body, bytes) else orjson.dumps(body)
    return Request(at=1.0, verb="create", resource=resource, code=201, body=said, **more)


@pytest.mark.parametrize(
    ("request_", "kept"),
    [
        pytest.param(sent(SECRET), {**SECRET, "data": {"word": MARK}}, id="data"),
        pytest.param(sent({"stringData": {"word": WORD}}), {"stringData": {"word": MARK}}, id="text"),
        pytest.param(
            sent(b"stringData:\n  word: open sesame"), {"stringData": {"word": MARK}}, id="applied in YAML"
        ),
        pytest.param(
            sent([{"op": "add", "path": "/data/word", "value": CODED}]),
            [{"op": "add", "path": "/data/word", "value": MARK}],
            id="JSON patch",
        ),
        pytest.param(
            sent({"metadata": {"annotations": APPLIED}}),
            {"metadata": {"annotations": dict.fromkeys(APPLIED, MARK)}},
            id="last applied",
        ),
        pytest.param(sent({"spec": {"token": WORD}}, "tokenreviews"), {"spec": {"token": MARK}}, id="token"),
        pytest.param(sent(b"k8s\x00\n\x0b" + WORD.encode()), b"", id="protobuf"),
    ],
)
def test_a_request_keeps_its_shape_and_loses_its_values(request_, kept):
    found = Redaction.of((), [request_]).request(request_).body

    assert (orjson.loads(found) if found else found) == kept


def test_a_change_of_a_secret_loses_its_values():
    one = change(1, "subject", None, SECRET, kind="Secret", name="s")

    assert Redaction.of([one], ()).change(one).after["data"] == {"word": MARK}


def test_a_change_of_a_secret_loses_short_values_too():
    one = change(1, "subject", None, {**SECRET, "data": {"pin": "MTIz"}}, kind="Secret", name="s")

    assert Redaction.of([one], ()).change(one).after["data"] == {"pin": MARK}


@pytest.mark.parametrize(
    ("held", "text"),
    [
        pytest.param({"stringData": {"word": WORD}}, CODED, id="written in base64"),
        pytest.param({"data": {"word": CODED}}, WORD, id="decoded"),
        pytest.param({"stringData": {"word": WORD}}, orjson.dumps(WORD).decode(), id="quoted"),
    ],
)
def test_a_value_is_known_in_other_forms(held, text):
    hidden = Redaction.of((), [sent(held)])

    assert ("sesame" in hidden.text(text), CODED in hidden.text(text)) == (False, False)


def test_a_value_is_taken_out_of_every_other_text(tmp_path):
    about = {**ABOUT, "text": f"it printed {WORD}"}
    other = sent({"data": {"copy": WORD}}, "configmaps", message=f"no {CODED}")
    told = change(9, "kueue", None, {"metadata": {"annotations": {"a": WORD}}}, kind="ConfigMap")
    story = tmp_path / "story.ndjson"

    story.write_bytes(
        write(replace(KEPT, about=about, changes=(*CHANGES, told), requests=(sent(SECRET), other)))
    )

    kept = story.read_bytes() + pack("b.zip", story, "failed")
    assert [one for one in ("sesame", CODED) if one.encode() in kept] == []
    assert read(story).about["text"] == f"it printed {MARK}"


def test_a_story_without_secrets_is_kept_as_it_was(tmp_path):
    story = tmp_path / "story.ndjson"
    story.write_bytes(write(KEPT))

    assert read(story).requests == list(KEPT.requests)


def test_evidence_is_its_owners_alone(tmp_path):
    name = Folder(tmp_path).write("story.ndjson", b"x")

    assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600
