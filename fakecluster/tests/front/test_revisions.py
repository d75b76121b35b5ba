"""By when the server behind had come to a revision (F-01)."""

import pytest

from fakecluster.front.revisions import Revisions

from .conftest import MAPS, config_map
from .test_watching import open_watch


@pytest.mark.parametrize(("revision", "time"), [(3, 1.0), (5, 1.0), (6, 3.0), (9, 3.0), (10, None)], ids=str)
def test_what_is_shown_was_there_before(revision, time):
    revisions = Revisions()
    revisions.note(b'{"metadata":{"resourceVersion":"5"}}', 1.0)
    revisions.note(b'{"metadata":{"resourceVersion": "4"}}', 2.0)
    revisions.note(
        b'{"items":[{"metadata":{"resourceVersion":"9"}}],"metadata":{"resourceVersion":"8"}}', 3.0
    )

    assert revisions.by(revision) == time


def test_answers_and_events_show_revisions(front, behind, client, other):
    watch = open_watch(other)
    revision = int(client.ask("POST", MAPS, config_map("a"))[1]["metadata"]["resourceVersion"])
    first = front.revisions.by(revision)
    watch()
    last = int(behind.request("POST", MAPS, config_map("b"))["metadata"]["resourceVersion"])
    watch()

    assert first <= front.revisions.by(last)
