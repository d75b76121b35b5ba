"""The drawing of a timeline: lanes are actors, marks are writes, spans are conditions."""

import pytest

from kueue_conformance.report.lanes import LABEL, STEP, draw


def step(actor, what, name="w", kind="Workload"):
    return {"revision": 1, "at": 0.0, "actor": actor, "kind": kind, "name": name, "what": what}


STORY = (
    step("user", "created"),
    step("kueue", "QuotaReserved=True (QuotaReserved)"),
    step("player", "check a: Pending → Retry"),
    step("kueue", "Evicted=True (AdmissionCheck), QuotaReserved=False (Pending)"),
)


def spans(*story):
    return [(one.condition, (one.x - LABEL) // STEP, one.width // STEP) for one in draw(story).spans]


def test_a_lane_for_each_actor_then_one_for_each_condition():
    assert [name for _, name in draw(STORY).labels] == [
        "user",
        "kueue",
        "player",
        "QuotaReserved · w",
        "Evicted · w",
    ]


def test_a_mark_for_each_write_on_its_actor_s_lane():
    drawing = draw(STORY)
    heights = {name: y for y, name in drawing.labels}

    assert [mark.y for mark in drawing.marks] == [heights[one["actor"]] for one in STORY]
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


def test_an_empty_story_is_an_empty_drawing():
    assert (draw(()).marks, draw(()).spans) == ([], [])
