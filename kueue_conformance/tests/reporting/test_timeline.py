"""Steps of a story: what was written, what was in vain, what broke a rule (harness/H-21)."""

from kueue_conformance.report.story.timeline import steps
from kueue_conformance.rules import Story, judge
from kueue_conformance.scenarios.dialect import known_dialects

from .stories import CHANGES, CONTROLLER, REFUSED

STORY = Story(changes=CHANGES, attempts=(REFUSED,), controller=CONTROLLER, requests=(REFUSED,))
STEPS = steps(CHANGES, (REFUSED,), judge(STORY, known_dialects()["v0.19"]))


def test_a_step_for_each_change_and_each_vain_write_in_order_of_time():
    assert [(one["revision"], one["actor"]) for one in STEPS] == [
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
    assert [(one.get("state"), one.get("entries")) for one in STEPS if one["kind"] == "Workload"] == [
        ("Suspended", {}),
        ("Suspended", {"check": "Pending"}),
        ("Suspended", {"check": "Ready"}),
        (None, None),
        ("Prechecked", {"check": "Ready"}),
        ("Admitted", {"check": "Ready"}),
        (None, None),
    ]


def test_wrong_writes_name_their_rules():
    wrong = {one["what"]: one["broke"] for one in STEPS if "broke" in one}

    assert wrong == {
        "check check: Pending → Ready": ["CC-020"],
        "patch changed nothing (HTTP 422)": ["CC-026"],
    }
