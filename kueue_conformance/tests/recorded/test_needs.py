"""What exchanges need of a server is said of the topics that do it, and of no others (issue 6 §3)."""

import pytest
import yaml

from kueue_conformance.backends.features import BARE_API_SERVER, CONTROLLERS
from kueue_conformance.vectors.document import topics
from kueue_conformance.vectors.index import folder, index
from kueue_conformance.vectors.needs import FILE, needs_of

ROWS = {row["needs"]: row for row in yaml.safe_load((folder().parent / FILE).read_text("utf-8"))}
TOPICS = topics(folder())
READS = ("GET", "HEAD", "OPTIONS")


def fill(topic, text):
    """Return a path with the names of its topic."""
    for _ in range(2):
        for name, value in topic.names.items():
            text = text.replace(f"${{{name}}}", value)
    return text


def stays_inside(topic, method, path):
    """Tell whether a request reads, writes nothing that stays, or writes into the namespace of its topic."""
    path = fill(topic, path)
    return (
        method in READS
        or "/namespaces/${ns}/" in path
        or path.endswith("/namespaces/${ns}")
        or "dryRun=All" in path
        or "reviews" in path
    )


def writes_outside(topic):
    """Tell whether a topic changes anything beyond its namespace."""
    written = [(vector.method, vector.path) for vector in topic.vectors if vector.answer["status"] < 300]
    setup_writes = [("POST", step["at"]) for step in topic.setup]
    return not all(stays_inside(topic, *written_path) for written_path in [*written, *setup_writes])


@pytest.mark.parametrize(
    ("need", "holds"),
    [
        pytest.param("servers of this process", lambda topic: topic.peers, id="servers"),
        pytest.param("a cluster of its own", writes_outside, id="cluster"),
        pytest.param(CONTROLLERS, lambda topic: topic.controllers, id="controllers"),
    ],
)
def test_topics_that_do_it_are_named(need, holds):
    assert ROWS[need]["exchanges"] == [topic.name for topic in TOPICS if holds(topic)]


def test_every_need_is_a_feature_of_a_server_that_is_examined():
    assert ROWS.keys() == BARE_API_SERVER | {CONTROLLERS}


def test_rows_name_topics_and_exchanges_that_exist():
    named_exchanges = {name for row in ROWS.values() for name in row["exchanges"]}

    assert named_exchanges <= {topic.name for topic in TOPICS} | index(folder()).keys()


def test_needs_by_topic_and_by_exchange():
    assert needs_of(["webhooks/see-pod", "paging/make-a"]) == {
        "webhooks/see-pod": ("servers of this process", "a cluster of its own")
    }
