"""How programs that serve end."""

from __future__ import annotations

import pytest

from fakecluster.stopping import Stop


@pytest.mark.parametrize("asked", [0, 1, 2])
def test_a_program_ends_once_it_was_asked_however_often(asked: int) -> None:
    stop = Stop()
    for _ in range(asked):
        stop.ask()
    assert stop.wait(0.0) == (asked > 0)
