"""The story of a case is kept as it was, and found again (harness/N-08, N-15)."""

import json
from dataclasses import replace

import pytest
from jsonschema import Draft202012Validator

from kueue_conformance.base.errors import EnvironmentProblem, UsageError
from kueue_conformance.base.resources import schema
from kueue_conformance.report.evidence import Folder, file_name, read, write

from .stories import ASKED, CHANGES, KEPT, REFUSED

LINES = [json.loads(line) for line in write(KEPT).splitlines()]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "story.ndjson"
    path.write_bytes(write(KEPT))
    return path


def test_what_is_read_is_what_was_written(file):
    evidence = read(file)

    assert (evidence.changes, evidence.requests, evidence.attempts) == (
        list(CHANGES),
        list(KEPT.requests),
        [REFUSED],
    )
    assert evidence.questions == [ASKED]
    assert evidence.about == {"evidence": 1, **KEPT.about}


def test_a_state_is_written_once():
    befores = [line["change"]["before"] for line in LINES if "change" in line]

    assert befores == [None, None, *["as it was"] * 5]


def test_every_line_keeps_to_the_schema():
    judge = Draft202012Validator(schema("evidence"))

    assert [line for line in LINES if not judge.is_valid(line)] == []


@pytest.mark.parametrize(
    ("body", "kept_body"),
    [
        pytest.param(b"\xff\x00", b"\xff\x00", id="no text"),
        pytest.param(b"x" * 300_000, b"", id="too long"),
        pytest.param(b"", b"", id="none"),
    ],
)
def test_bodies(tmp_path, body, kept_body):
    path = tmp_path / "story.ndjson"
    path.write_bytes(write(replace(KEPT, requests=(replace(REFUSED, body=body),), attempts=())))

    assert [request.body for request in read(path).requests] == [kept_body]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        pytest.param(b"", "is not NDJSON", id="empty"),
        pytest.param(b"{", "is not NDJSON", id="no JSON"),
        pytest.param(b'{"evidence":2}\n', "is no evidence of version 1", id="another version"),
    ],
)
def test_a_file_that_is_no_evidence(tmp_path, content, words):
    path = tmp_path / "story.ndjson"
    path.write_bytes(content)

    with pytest.raises(UsageError, match=words):
        read(path)


@pytest.mark.parametrize(
    ("test", "name"),
    [
        ("test_x[v0.19]", "CHK-010-v0.19.ndjson"),
        ("test_x[v0.19-a/b c]", "CHK-010-v0.19-a-b-c.ndjson"),
        ("test_x", "CHK-010-test_x.ndjson"),
    ],
)
def test_names(test, name):
    assert file_name("CHK-010", test) == name


def closing(tmp_path):
    folder = Folder(tmp_path)
    named = folder.write("CHK-010-v0.19.ndjson", write(KEPT))
    folder.write("old.ndjson", b"")
    folder.close([{"file": named, "scenario": "CHK-010", "test": "test_x[v0.19]", "outcome": "failed"}])
    return folder, named


def test_the_index_knows_the_files_of_this_run_alone(tmp_path):
    folder, named = closing(tmp_path)

    assert [row["file"] for row in folder.index()] == [named]
    assert sorted(path.name for path in folder.path.iterdir()) == ["CHK-010-v0.19.ndjson", "index.json"]


@pytest.mark.parametrize(
    ("spoil", "problems"),
    [
        pytest.param(lambda path: None, [], id="nothing"),
        pytest.param(
            lambda path: path.write_bytes(b"{}"),
            ["evidence/CHK-010-v0.19.ndjson: it is not what the run wrote"],
            id="changed",
        ),
        pytest.param(
            lambda path: path.unlink(), ["evidence/CHK-010-v0.19.ndjson: it is missing"], id="removed"
        ),
    ],
)
def test_tampering_with_evidence_is_found(tmp_path, spoil, problems):
    folder, named = closing(tmp_path)

    spoil(tmp_path / named)

    assert list(folder.problems([named])) == problems


def test_a_linked_folder_is_neither_written_to_nor_emptied(tmp_path):
    theirs, folder = tmp_path / "theirs", tmp_path / "report"
    theirs.mkdir()
    folder.mkdir()
    (theirs / "mine.ndjson").touch()
    (folder / "evidence").symlink_to(theirs)

    with pytest.raises(EnvironmentProblem, match="it is a symbolic link"):
        Folder(folder).write("story.ndjson", b"x")
    Folder(folder).close([])

    assert [file.name for file in theirs.iterdir()] == ["mine.ndjson"]
