"""The story of objects: narrowed, summed up, told (H-21)."""

import pytest

from kueue_conformance.history.story import History
from kueue_conformance.history.story_lines import summary, tell

from .stub import StubRecorder, change, workload

STORY = [
    change(1, "user", after=workload()),
    change(2, after=workload(), before=workload(), name="other"),
    change(3, "user", before=workload(), after=None),
]


def revisions(history):
    return [story_change.revision for story_change in history]


@pytest.fixture
def history():
    return History(StubRecorder(STORY))


def test_of_is_one_object(history):
    assert revisions(history.of("Workload", "work", "ns")) == [1, 3]


def test_by_is_one_author(history):
    assert revisions(history.by("kueue")) == [2]


def test_narrowing_adds_up(history):
    assert revisions(history.of("Workload", "work", "ns").by("user").after(1)) == [3]


def test_last_revision(history):
    assert (history.last_revision, history.by("nobody").last_revision) == (3, 0)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param(None, workload(), "created", id="created"),
        pytest.param(workload(), None, "deleted", id="deleted"),
        pytest.param(workload(), workload(), "update, nothing of the state", id="nothing"),
        pytest.param(
            workload(), workload(Admitted=("True", "Admitted")), "Admitted=True (Admitted)", id="condition"
        ),
        pytest.param(
            workload(Admitted=("True", "A")), workload(), "Admitted removed", id="condition removed"
        ),
        pytest.param(
            workload({"a": "Pending"}),
            workload({"a": "Ready", "b": "Pending"}),
            "check a: Pending → Ready, check b: none → Pending",
            id="checks",
        ),
        pytest.param({"spec": {}}, {"spec": {"active": False}}, "spec.active=False", id="spec"),
    ],
)
def test_a_change_is_summed_up(before, after, expected):
    assert summary(change(1, before=before, after=after)) == expected


def test_a_long_story_is_told_from_both_ends():
    lines = tell([change(number, after={}) for number in range(100)], limit=4)

    assert [line.split()[1] for line in lines] == ["0", "1", "96", "98", "99"]


def test_a_line_says_revision_author_and_deed():
    assert tell([change(7, "user", after={})]) == ["rv 7     user                     created"]
