"""Two servers set against each other: what is equal, what is known to differ, what is news (design.md §8)."""

import pytest

from kueue_conformance.vectors.differential import ComparedExchange, Summary, compare, servers
from kueue_conformance.vectors.document import Topic
from kueue_conformance.vectors.known_differences import known_differences
from kueue_conformance.wire.endpoint import Endpoint

from ..checkout import ROOT

TOPIC = """
names: {cm: "/api/v1/namespaces/${ns}/configmaps"}
vectors:
- {id: create, title: create, rows: [FK-074], ask: "POST ${cm}", body: {metadata: {name: a}}, answer: {status: 201}}
- {id: get, title: get, rows: [FK-030], ask: "GET ${cm}/b", user: alice, answer: {status: 404}}
"""


def comparison(exchange, *, unlike="", verdict=""):
    return ComparedExchange(exchange=exchange, unlike=unlike, verdict_unlike=verdict, drifted="")


@pytest.fixture(scope="module")
def endpoints():
    from kueue_conformance.backends.fake import FakeBackend

    real, fake = FakeBackend(), FakeBackend()
    yield real.api_server(), fake.api_server()
    real.close()
    fake.close()


@pytest.fixture
def topic(tmp_path):
    (tmp_path / "small.yaml").write_text(TOPIC, encoding="utf-8")
    return Topic.read(tmp_path / "small.yaml")


def test_servers_that_answer_alike(endpoints, topic):
    with servers(*endpoints) as pair:
        compared_exchanges = compare(topic, *pair)

    assert [
        (compared_exchange.exchange, compared_exchange.unlike) for compared_exchange in compared_exchanges
    ] == [("small/create", ""), ("small/get", "")]


def test_servers_that_answer_otherwise(endpoints, topic):
    real, fake = endpoints
    stranger = Endpoint(url=fake.url, users={"admin": fake.users["admin"], "alice": fake.users["admin"]})

    with servers(real, stranger) as pair:
        _, get = compare(topic, *pair)

    assert (get.unlike[:36], get.verdict_unlike) == (
        "body.code: recorded 403, found 404",
        "code: recorded 403, found 404",
    )


@pytest.mark.parametrize(
    ("compared_exchange", "known_rows", "lines"),
    [
        pytest.param(
            comparison("t/a"),
            {},
            ["1 of 1 exchanges equal", "0 known differences, 0 unexpected, 0 stale"],
            id="equal",
        ),
        pytest.param(
            comparison("t/a", unlike="x"),
            {},
            ["t/a: x", "0 of 1 exchanges equal", "0 known differences, 1 unexpected, 0 stale"],
            id="news",
        ),
        pytest.param(
            comparison("t/a", unlike="x"),
            {"t/a": {"row": "FK-001", "reason": "so"}},
            [
                "t/a: x  [known: FK-001, so]",
                "0 of 1 exchanges equal",
                "1 known differences, 0 unexpected, 0 stale",
            ],
            id="known",
        ),
        pytest.param(
            comparison("t/a"),
            {"t/a": {"row": "FK-001", "reason": "so"}},
            [
                "t/a: equal by now: remove its row from known-differences.yaml",
                "1 of 1 exchanges equal",
                "1 known differences, 0 unexpected, 1 stale",
            ],
            id="stale",
        ),
    ],
)
def test_what_is_told(compared_exchange, known_rows, lines):
    assert Summary(compared=[compared_exchange], known_differences=known_rows).lines()[: len(lines)] == lines


def test_the_page_lists_the_known_differences():
    page = (ROOT / "docs/differential.md").read_text("utf-8")
    known_rows = known_differences()
    rows = [f"| `{name}` | {row['row']} | {row['reason']} |" for name, row in known_rows.items()]

    assert [
        line
        for line in page.splitlines()
        if line.startswith("| `") and "/" in line.split("`")[1] and " " not in line.split("`")[1]
    ] == rows
