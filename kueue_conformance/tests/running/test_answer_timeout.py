"""An API server that does not answer: gone, or busy."""

import pytest
from urllib3 import PoolManager
from urllib3.exceptions import NewConnectionError, ReadTimeoutError

from kueue_conformance.wire.answer_timeout import answer_timeout, no_answer


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
