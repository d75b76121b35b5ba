"""The drawing of a timeline: lanes are actors and traffic,
marks are steps, spans are conditions; strips fit a screen.
"""

import pytest

from kueue_conformance.report.page.lanes import NARROW, STEP, WIDE, draw, first_wrong
from kueue_conformance.report.page.lanes import strips as strips_of
from kueue_conformance.report.story.traffic import FAULTS, READS

GENERATED = "workload-2-chk-010-ttdfp-838-morning"


def step(actor, text, name="w", kind="Workload", **fields):
    return {"revision": 1, "at": 0.0, "actor": actor, "kind": kind, "name": name, "what": text, **fields}


STORY = (
    step("user", "created"),
    step("kueue", "QuotaReserved=True (QuotaReserved)"),
    step("player", "check a: Pending → Retry"),
    step("kueue", "Evicted=True (AdmissionCheck), QuotaReserved=False (Pending)"),
)
WRONG = step("subject", "check a: Pending → Ready", broke=["CC-020"])


def names(*story):
    return [lane.name for lane in draw(story).lanes]


def spans(*story):
    return [(span.condition, span.x // STEP, span.width // STEP) for span in draw(story).spans]


def test_a_lane_for_each_actor_then_one_for_each_condition():
    assert names(*STORY) == ["user", "kueue", "player", "QuotaReserved · w", "Evicted · w"]


def test_traffic_has_lanes_of_its_own_between_actors_and_conditions():
    read, fault = step("subject", "list", lane=READS), step("kueue-conformance", "refuse", lane=FAULTS)

    assert names(read, *STORY[:2], fault) == ["user", "kueue", FAULTS, READS, "QuotaReserved · w"]


def test_a_lane_is_named_by_role_and_knows_the_generated_name():
    (*_, lane) = draw([step("kueue", "Admitted=True (Admitted)", GENERATED)]).lanes

    assert (lane.name, lane.full_name) == ("Admitted · workload B", f"Admitted · {GENERATED}")


def test_a_mark_for_each_step_on_its_lane():
    drawing = draw(STORY)
    heights = {lane.name: lane.y for lane in drawing.lanes}

    assert [mark.y for mark in drawing.marks] == [heights[step_row["actor"]] for step_row in STORY]
    assert [mark.x for mark in drawing.marks] == sorted({mark.x for mark in drawing.marks})


def test_a_span_lasts_while_its_condition_is_true():
    assert spans(*STORY) == [("QuotaReserved", 1, 2), ("Evicted", 3, 1)]


@pytest.mark.parametrize("end", ["deleted", "Admitted removed", "Admitted=False (NoReservation)"])
def test_a_span_ends(end):
    assert spans(step("k", "Admitted=True (Admitted)"), step("k", end), step("k", "created", "x")) == [
        ("Admitted", 0, 1)
    ]


def test_objects_have_spans_of_their_own():
    story = (
        step("k", "Admitted=True (A)", "one"),
        step("k", "Admitted=True (A)", "two"),
        step("k", "deleted", "one"),
    )

    assert spans(*story) == [("Admitted", 0, 2), ("Admitted", 1, 2)]


@pytest.mark.parametrize("before", [0, 5, 91, 92, 149])
def test_the_first_wrong_write_is_always_drawn(before):
    drawing = draw([*[STORY[0]] * before, WRONG, *[STORY[0]] * 20])

    assert [mark.broke for mark in drawing.marks if mark is first_wrong(drawing)] == [["CC-020"]]


@pytest.mark.parametrize("columns", [WIDE, NARROW])
@pytest.mark.parametrize("steps", [1, NARROW, NARROW + 1, WIDE + 3, 90])
def test_strips_show_every_mark_once_and_fit(columns, steps):
    drawing = draw([STORY[0]] * steps)
    strips = strips_of(drawing, columns)

    assert all(width <= columns * STEP for _, width in strips)
    assert [sum(x <= mark.x < x + columns * STEP for x, _ in strips) for mark in drawing.marks] == [1] * steps


def test_an_empty_story_is_an_empty_drawing():
    assert (draw(()).marks, draw(()).spans, first_wrong(draw(()))) == ([], [], None)
