"""What a subject prints stands between the writes, by its time (harness/H-43)."""

from kueue_conformance.case.failure_text import between
from kueue_conformance.history.story_lines import tell
from kueue_conformance.report.story.timeline import steps
from kueue_conformance.subject.log import Line, LogRing

from .stub import change

WRITES = [
    change(1, after={}, at=10.0),
    change(2, before={}, after={}, at=12.0),
    change(3, before={}, at=14.0),
]
PRINTED = [Line(9.0, "too early"), Line(11.0, "asked"), Line(13.0, "answered"), Line(15.0, "too late")]


def test_lines_stand_between_the_writes():
    lines = tell(WRITES, between(WRITES, PRINTED))

    assert [line.split()[0] for line in lines] == ["rv", "prints", "rv", "prints", "rv"]
    assert lines[1].endswith("subject                  asked")


def test_the_timeline_tells_them_as_steps_of_the_subject():
    lines = steps(WRITES, (), (), between(WRITES, PRINTED))

    assert [(step_row["at"], step_row["what"]) for step_row in lines if not step_row["kind"]] == [
        (1.0, "prints asked"),
        (3.0, "prints answered"),
    ]


def test_times_are_those_of_the_server():
    assert between(WRITES, [Line(-19.0, "by another clock")], skew=30.0) == [(11.0, "by another clock")]


def test_nothing_is_told_between_no_writes():
    assert between([], PRINTED) == []


def test_lines_bear_the_time_at_which_they_came():
    ring = LogRing(lambda: 1_800_000_000.5)
    ring.fill(["one\n", "two\n"])

    assert [str(line) for line in ring.whole()] == ["08:00:00.500 one", "08:00:00.500 two"]


def test_a_line_that_nobody_saw_come_has_no_time():
    assert str(Line(0.0, "found later")) == "found later"


def test_the_first_lines_are_kept_however_much_follows():
    ring = LogRing()

    ring.fill(f"line {number}" + 4000 * "." for number in range(2000))

    assert (ring.opening()[0].text.rstrip("."), len(ring.opening())) == ("line 0", 100)
    assert ring.whole()[0].text.rstrip(".") != "line 0"
