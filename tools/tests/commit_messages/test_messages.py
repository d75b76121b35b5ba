"""What is wrong with a commit's message."""

import pytest

from tools.commit_messages.__main__ import find_problems


@pytest.mark.parametrize(
    ("message", "problem"),
    [
        pytest.param("store: " + "x" * 66, "73 characters", id="long subject"),
        pytest.param("", "is empty", id="nothing"),
        pytest.param("# a comment of Git\n", "is empty", id="only comments"),
        pytest.param("store: keep the log.", "full stop", id="full stop"),
        pytest.param("store: keep the log\nbecause", "second line", id="no empty line"),
    ],
)
def test_problem(message, problem):
    (text,) = find_problems(message)

    assert problem in text


@pytest.mark.parametrize(
    "message",
    [
        pytest.param("store: " + "x" * 65, id="72 characters"),
        pytest.param("scheduler: keep the scan when a write fails\n\nIt began anew.\n", id="with a body"),
        pytest.param("Merge branch 'a' of " + "x" * 90, id="of Git"),
    ],
)
def test_message_is_right(message):
    assert find_problems(message) == []
