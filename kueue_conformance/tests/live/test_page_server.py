"""The server of the page: what it serves, what it takes, and what it refuses."""

import json
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus

import pytest

from kueue_conformance.live.page_server import PageServer
from kueue_conformance.live.publisher import Publisher
from kueue_conformance.live.run_state import RunState

VIEW = {"scenario": "ADM-200", "title": "it is admitted"}


@pytest.fixture
def server():
    page_server = PageServer(RunState())
    yield page_server
    page_server.close()


def ask(address, body=None):
    try:
        with urllib.request.urlopen(urllib.request.Request(address, data=body), timeout=10) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as problem:
        return problem.code, b""


def state_of(server):
    return json.loads(ask(f"{server.url}state")[1])


def test_the_page_fetches_nothing_but_its_state(server):
    with urllib.request.urlopen(server.url, timeout=10) as answer:
        policy, page = answer.headers["Content-Security-Policy"], answer.read().decode()

    assert "default-src 'none'" in policy
    assert "connect-src 'self'" in policy
    assert "fetch(`state${shown}`)" in page


def test_a_view_of_a_worker_is_in_the_state(server):
    publisher = Publisher(server.url, "gw1")
    publisher.offer(VIEW)
    publisher.close()

    assert state_of(server)["cases"] == {"gw1": VIEW}


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("cases/gw0", b"{", HTTPStatus.BAD_REQUEST),
        ("cases/gw0", b"[]", HTTPStatus.BAD_REQUEST),
        ("cases/", b"{}", HTTPStatus.NOT_FOUND),
        ("else/gw0", b"{}", HTTPStatus.NOT_FOUND),
        ("else", None, HTTPStatus.NOT_FOUND),
    ],
)
def test_a_wrong_request_is_refused_and_changes_nothing(server, path, body, status):
    assert ask(f"{server.url}{path}", body)[0] == status
    assert state_of(server)["cases"] == {}


def test_who_does_not_know_the_path_sees_and_says_nothing(server):
    root = server.url.rsplit("/", 2)[0]

    assert {ask(f"{root}{path}")[0] for path in ("/", "/state", "/wrong/state")} == {HTTPStatus.NOT_FOUND}
    assert ask(f"{root}/wrong/cases/gw0", b"{}")[0] == HTTPStatus.NOT_FOUND


def test_outcomes_are_counted_and_what_failed_is_shown_with_its_cause():
    state = RunState()
    state.expect(3)
    for outcome in ("passed", "failed"):
        state.count_case({"id": "ADM-200", "test": "test_it", "outcome": outcome, "text": "first\nsecond"})

    shown = state.to_dict()
    assert (shown["total"], shown["outcomes"]) == (3, {"failed": 1, "passed": 1})
    assert shown["failures"] == [
        {"scenario": "ADM-200", "test": "test_it", "outcome": "failed", "lines": ["first", "second"]}
    ]


def test_who_has_seen_the_newest_state_waits_for_the_next_one(server):
    seen = state_of(server)["version"]
    with ThreadPoolExecutor() as pool:
        waiting = pool.submit(ask, f"{server.url}state?version={seen}")
        server.state.expect(7)

        assert json.loads(waiting.result()[1])["total"] == 7


def test_a_publisher_whose_page_is_gone_ends_quietly():
    page_server = PageServer(RunState())
    page_server.close()
    publisher = Publisher(page_server.url, "gw0")
    publisher.offer(VIEW)
    publisher.close()

    assert page_server.state.to_dict()["cases"] == {}
