"""Steps of a story: what was written, what was in vain, what broke a rule (harness/H-21)."""

from kueue_conformance.report.story.timeline import steps
from kueue_conformance.rules import Story, judge
from kueue_conformance.scenarios.dialect import known_dialects

from .stories import CHANGES, CONTROLLER, REFUSED

STORY = Story(changes=CHANGES, attempts=(REFUSED,), controller=CONTROLLER, requests=(REFUSED,))
WRONG_WRITE = 'refused patch workloads/status ns/w (HTTP 422): status.admissionChecks[0].state: Unsupported value: "Yes"'
STEPS = steps(CHANGES, (REFUSED,), judge(STORY, known_dialects()["v0.19"]))


def test_a_step_for_each_change_and_each_vain_write_in_order_of_time():
    assert [(step_row["revision"], step_row["actor"]) for step_row in STEPS] == [
        (1, "user"),
        (2, "user"),
        (3, "kueue"),
        (4, "subject"),
        (0, "subject"),
        (6, "kueue"),
        (7, "kueue"),
        (8, "user"),
    ]


def test_a_workload_has_a_state_and_its_entries():
    assert [
        (step_row.get("state"), step_row.get("entries"))
        for step_row in STEPS
        if step_row["kind"] == "Workload"
    ] == [
        ("Suspended", {}),
        ("Suspended", {"check": "Pending"}),
        ("Suspended", {"check": "Ready"}),
        (None, None),
        ("Prechecked", {"check": "Ready"}),
        ("Admitted", {"check": "Ready"}),
        (None, None),
    ]


def test_wrong_writes_name_their_rules():
    wrong = {step_row["what"]: step_row["broke"] for step_row in STEPS if "broke" in step_row}

    assert wrong == {
        "check check: Pending → Ready": ["CC-020"],
        WRONG_WRITE: ["CC-026"],
    }
