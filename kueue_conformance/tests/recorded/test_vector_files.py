"""Files of vectors: reading, refreshing, comparing, and what is told about differences."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from fakecluster.api.outcome import User
from fakecluster.cluster.fake_cluster import FakeCluster
from kueue_conformance.cli.record_command import record_answers
from kueue_conformance.vectors import normalisation
from kueue_conformance.vectors.__main__ import cli, main
from kueue_conformance.vectors.difference import difference
from kueue_conformance.vectors.document import VectorError, topics
from kueue_conformance.vectors.json_path import pick
from kueue_conformance.wire.endpoint import Endpoint, tokens

VECTORS = """
names: {cm: "/api/v1/namespaces/${ns}/configmaps"}
vectors:
- {id: create, title: create, rows: [FK-074], ask: "POST ${cm}", body: {metadata: {generateName: a-}}, capture: {made: metadata.name}}
- {id: get, title: get, rows: [FK-030], ask: "GET ${cm}/${made}", answer: {status: 404, headers: {}, body: nothing}}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "small.yaml").write_text(VECTORS, encoding="utf-8")
    return tmp_path


@pytest.fixture
def arguments(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    tokens = tmp_path_factory.mktemp("tokens") / "tokens.csv"
    tokens.write_text('secret,admin,1,"system:masters"\n', encoding="utf-8")
    users = {"secret": User(name="admin", groups=("system:masters",))}
    with FakeCluster(controllers="none", tls=False, tokens=users) as cluster:
        yield ["--server", cluster.url, "--token-file", str(tokens), "--folder", str(folder)]


STAMP = {"program": "an imitation", "version": "v1.36.3", "date": "2026-11-23"}


def record(arguments: list[str], folder: Path) -> int:
    (topic,) = topics(folder)
    return record_answers(topic, Endpoint.by_token(arguments[1], tokens(Path(arguments[3]))), folder, STAMP)


def test_record_fills_in_answers_and_stamps_the_version(arguments: list[str], folder: Path) -> None:
    assert record(arguments, folder) == 2
    (topic,) = topics(folder)
    assert topic.recorded == STAMP
    assert [vector.answer["status"] for vector in topic.vectors] == [201, 200]
    assert topic.vectors[0].answer["body"]["metadata"]["name"] == "a-${suffix}"


def test_compare_after_record_finds_all_equal(arguments: list[str], folder: Path) -> None:
    record(arguments, folder)
    result = CliRunner().invoke(cli, ["compare", *arguments])
    assert (result.output, result.exit_code) == ("2 of 2 exchanges equal\n", 0)


def test_compare_tells_the_first_difference(arguments: list[str]) -> None:
    result = CliRunner().invoke(cli, ["compare", *arguments])
    assert result.output.splitlines()[-2].startswith('small/get: body: recorded "nothing", found {')
    assert (result.output.splitlines()[-1], result.exit_code) == ("0 of 2 exchanges equal", 1)


def test_nothing_is_left_behind(arguments: list[str], folder: Path) -> None:
    assert [record(arguments, folder), record(arguments, folder)] == [2, 2]
    assert CliRunner().invoke(cli, ["compare", *arguments]).exit_code == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[1]", "expected a map with a list `vectors`"),
        ("a: [", "cannot be read as YAML"),
        ("vectors: [{id: a, odd: 1}]", "unknown keys ['odd'], missing keys ['ask', 'rows', 'title']"),
    ],
    ids=["list", "yaml", "keys"],
)
def test_bad_file(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "bad.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(VectorError, match=re.escape(message)):
        topics(tmp_path)


def test_empty_folder_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    token_file = tmp_path / "tokens.csv"
    token_file.touch()
    where = ["--server", "http://127.0.0.1:1", "--token-file", str(token_file), "--folder", str(tmp_path)]
    monkeypatch.setattr(sys, "argv", ["vectors", "compare", *where])
    with pytest.raises(SystemExit, match="4"):
        main()
    assert capsys.readouterr().err == f"vectors: {tmp_path}: expected a folder with files *.yaml\n"


@pytest.mark.parametrize(
    ("recorded", "answered", "difference_text"),
    [
        ({"a": [1, {"b": 2}]}, {"a": [1, {"b": 2}]}, ""),
        ({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3}]}, "a[1].b: recorded 2, found 3"),
        ({"a": 1}, {}, 'a: recorded 1, found "nothing"'),
        ({"a": [1]}, {"a": []}, "a (length): recorded [1], found []"),
        (1, 1.0, ": recorded 1, found 1.0"),
    ],
    ids=["equal", "deep", "missing", "length", "type"],
)
def test_difference(recorded: Any, answered: Any, difference_text: str) -> None:
    assert difference(recorded, answered) == difference_text


@pytest.mark.parametrize(
    ("where", "value"),
    [("a.b", 1), ("l.1", "y"), ("o.n=q.v", 3), ("d~t", 4), ("l.9", None), ("o.n=zz.v", None)],
    ids=["map", "index", "item", "dot", "outside", "no item"],
)
def test_picked(where: str, value: Any) -> None:
    content = {"a": {"b": 1}, "l": ["x", "y"], "o": [{"n": "p", "v": 2}, {"n": "q", "v": 3}], "d.t": 4}
    assert pick(content, where) == value


CONFLICTS = [{"message": f'conflict with "{name}"', "reason": "FieldManagerConflict"} for name in "ba"]
OTHER = {"field": "z", "reason": "FieldValueInvalid"}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"resourceVersion": "12"}, {"resourceVersion": "${rv}"}),
        ({"resourceVersion": "0"}, {"resourceVersion": "0"}),
        ({"at": "2026-01-01T00:00:00Z"}, {"at": "${time}"}),
        ({"managedFields": []}, {}),
        ({"cells": ["a", "5s", 5]}, {"cells": ["a", "${age}", 5]}),
        ("too old resource version: 1 (20)", "too old resource version: ${rv} (${rv})"),
        ("in team-x", "in ${ns}"),
        ({"causes": [*CONFLICTS, OTHER]}, {"causes": [OTHER, *reversed(CONFLICTS)]}),
        ({"causes": [OTHER, {"field": "a"}]}, {"causes": [OTHER, {"field": "a"}]}),
    ],
    ids=[
        "revision",
        "zero",
        "time",
        "managed fields",
        "age",
        "text",
        "namespace",
        "conflicts",
        "other causes",
    ],
)
def test_normal(value: Any, expected: Any) -> None:
    assert normalisation.body(value, {"team-x": "${ns}"}, managed_fields=False) == expected


def test_files_are_plain_yaml(arguments: list[str], folder: Path) -> None:
    record(arguments, folder)
    content = yaml.safe_load((folder / "small.yaml").read_text(encoding="utf-8"))
    assert list(content) == ["recorded", "names", "vectors"]
