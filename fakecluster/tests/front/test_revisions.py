"""By when the server behind had come to a revision (F-01)."""

import pytest

from fakecluster.front.revisions import Revisions

from .conftest import MAPS, config_map
from .test_watching import opened


@pytest.mark.parametrize(("revision", "time"), [(3, 1.0), (5, 1.0), (6, 3.0), (9, 3.0), (10, None)], ids=str)
def test_what_is_shown_was_there_before(revision, time):
    seen = Revisions()
    seen.note(b'{"metadata":{"resourceVersion":"5"}}', 1.0)
    seen.note(b'{"metadata":{"resourceVersion": "4"}}', 2.0)
    seen.note(b'{"items":[{"metadata":{"resourceVersion":"9"}}],"metadata":{"resourceVersion":"8"}}', 3.0)

    assert seen.by(revision) == time


def test_answers_and_events_show_revisions(front, behind, client, other):
    watch = opened(other)
    made = int(client.ask("POST", MAPS, config_map("a"))[1]["metadata"]["resourceVersion"])
    first = front.revisions.by(made)
    watch()
    last = int(behind.request("POST", MAPS, config_map("b"))["metadata"]["resourceVersion"])
    watch()

    assert first <= front.revisions.by(last)
