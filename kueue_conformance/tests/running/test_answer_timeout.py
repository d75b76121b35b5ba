"""An API server that does not answer: gone, or busy."""

import pytest
from urllib3 import PoolManager
from urllib3.exceptions import NewConnectionError, ReadTimeoutError

from kueue_conformance.base.errors import EnvironmentProblem
from kueue_conformance.wire.answer_timeout import answer_timeout, check_answer, no_answer


def test_a_request_is_waited_for_longer_than_the_server_works_on_it():
    timeout = answer_timeout()

    assert timeout.read_timeout > 60 > timeout.connect_timeout


@pytest.mark.parametrize(
    ("problem", "hint"),
    [
        (ReadTimeoutError(PoolManager(), "/api", "Read timed out."), "busy with other work"),
        (NewConnectionError(None, "refused"), "is it running"),
    ],
)
def test_the_hint_tells_a_busy_server_from_one_that_is_gone(problem, hint):
    error = no_answer("https://127.0.0.1:6443", problem)

    assert "the API server at https://127.0.0.1:6443 does not answer" in str(error)
    assert hint in error.hint


@pytest.mark.parametrize(
    ("code", "data", "line"),
    [
        (
            500,
            b'{"message": "etcdserver: request timed out", "code": 500}',
            "answers 500: etcdserver: request",
        ),
        (504, b'{"message": "request did not complete", "reason": "Timeout"}', "answers 504: request did"),
        (504, b"upstream timed out", "answers 504: upstream timed out"),
    ],
)
def test_a_server_that_was_too_slow_is_no_answer_to_judge(code, data, line):
    with pytest.raises(EnvironmentProblem, match=line):
        check_answer("https://127.0.0.1:6443", code, data)


@pytest.mark.parametrize(
    ("code", "data"), [(200, b"etcdserver: "), (500, b'{"message": "a webhook failed"}'), (503, b"{}")]
)
def test_another_answer_is_judged(code, data):
    assert check_answer("https://127.0.0.1:6443", code, data) is None
