"""Every vector against one cluster: recorded answers of kube-apiserver, asked over HTTP (design.md §8).

What differs knowingly is a row of `known-differences.yaml`.
A row whose difference is gone fails until it is removed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import yaml

from kueue_conformance.backends.fake import FakeBackend
from kueue_conformance.vectors.difference import difference
from kueue_conformance.vectors.document import Topic, topics
from kueue_conformance.vectors.player import Player
from kueue_conformance.vectors.server import Server

FOLDER = Path(__file__).parents[3] / "fixtures" / "recordings" / "kube-apiserver-v1.36.3"
TOPICS = {topic.name: topic for topic in topics(FOLDER)}
VECTORS = [(topic.name, vector) for topic in TOPICS.values() for vector in topic.vectors]
KNOWN: dict[str, Any] = {
    row["vector"]: row
    for row in yaml.safe_load((FOLDER.parent / "known-differences.yaml").read_text(encoding="utf-8"))
}
ROWS = set((FOLDER.parents[1] / "rows.txt").read_text(encoding="utf-8").split())
pytestmark = pytest.mark.slow
"""Asked once by `.ci/run`, on all cores."""


@pytest.fixture(scope="module")
def backend() -> Iterator[FakeBackend]:
    with closing(FakeBackend()) as backend:
        yield backend


@pytest.mark.parametrize("topic", TOPICS.values(), ids=TOPICS)
def test_the_answers_to_a_topic_are_the_recorded_ones(topic: Topic, backend: FakeBackend) -> None:
    endpoint = backend.api_server(controllers=topic.controllers)
    with closing(Server(endpoint)) as server:
        answers = Player(server, topic, f"{topic.name}-bcdfg").play()
    differences = {
        f"{topic.name}/{vector.id}": text
        for vector, answer in zip(topic.vectors, answers, strict=True)
        if (text := difference(vector.answer, answer.json()))
    }
    known = {name for name in KNOWN if name.startswith(f"{topic.name}/")}

    assert {name: text for name, text in differences.items() if name not in known} == {}
    assert known - differences.keys() == set(), "equal by now: remove these rows"


def test_known_differences_name_vectors() -> None:
    assert set(KNOWN) <= {f"{topic}/{vector.id}" for topic, vector in VECTORS}


def test_known_differences_give_a_row_and_a_reason() -> None:
    assert all(row.keys() == {"vector", "row", "reason"} and row["row"] in ROWS for row in KNOWN.values())


def test_vectors_show_rows_that_exist() -> None:
    assert {row for _, vector in VECTORS for row in vector.rows} <= ROWS


@pytest.mark.parametrize("topic", TOPICS.values(), ids=TOPICS)
def test_provenance(topic: Any) -> None:
    assert topic.recorded.keys() - {"proof"} == {"program", "version", "date"}


@pytest.mark.parametrize("topic", TOPICS.values(), ids=TOPICS)
def test_ids_are_unique(topic: Any) -> None:
    assert len({vector.id for vector in topic.vectors}) == len(topic.vectors)
