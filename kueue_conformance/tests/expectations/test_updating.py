"""A report brings an expectation file up to date, and leaves the rest of it as it was (harness/H-18)."""

from datetime import date

import pytest

from kueue_conformance.expectations import Situation, read
from kueue_conformance.expectations.updating import CaseOutcome, EntryReason, update
from kueue_conformance.scenarios.outcome import Outcome

DAY = date(2026, 11, 21)
WHY = EntryReason(reason="slow cache", issue="#7", expires=date(2027, 2, 19))
FILE = """\
# Ours.
apiVersion: kueue-conformance.dev/v1
kind: Expectations

expectations:
  # first, and above it why
  - id: CHK-010
    clause: CHK-010.b   # known for long
    reason: >
      The cache is late,
      and nobody knows why.
    issue: "#1"
    expires: 2026-12-31

  # second
  - {id: CHK-011, reason: r, issue: '#2', expires: 2026-11-01}   # soon over
# the end
"""
FIRST = FILE[FILE.index("  # first") : FILE.index("\n  # second")]
SECOND = FILE[FILE.index("  # second") : FILE.index("# the end")]
ADDED = """\
  - id: CHK-020
    clause: CHK-020.a
    reason: slow cache
    issue: '#7'
    expires: 2027-02-19
"""


def case_outcome(scenario, outcome=Outcome.FAILED, clause="", dialect="v0.19"):
    fingerprint = f"{scenario}.{clause}" if clause else ""
    return CaseOutcome(
        scenario=scenario, situation=Situation(dialect=dialect), outcome=outcome, fingerprint=fingerprint
    )


def update_file(tmp_path, *cases, text=FILE):
    file = tmp_path / "e.yaml"
    file.write_text(text)
    return update(file, cases, WHY, DAY)


AS_EXPECTED = (case_outcome("CHK-010", clause="b"),)
SECOND_RENEWED = SECOND.replace("2026-11-01", "2027-02-19")


@pytest.mark.parametrize(
    ("cases", "text"),
    [
        pytest.param(
            AS_EXPECTED, FILE.replace(SECOND, SECOND_RENEWED), id="nothing but the day of what has expired"
        ),
        pytest.param(
            (case_outcome("CHK-010", Outcome.PASSED),),
            FILE.replace(FIRST, "").replace(SECOND, SECOND_RENEWED),
            id="passes",
        ),
        pytest.param(
            (*AS_EXPECTED, case_outcome("CHK-020", clause="a")),
            FILE.replace(SECOND, SECOND_RENEWED + ADDED),
            id="a new failure",
        ),
        pytest.param(
            (case_outcome("CHK-011", Outcome.XPASSED), case_outcome("CHK-020", Outcome.PASSED)),
            FILE.replace(SECOND, ""),
            id="an unexpected pass",
        ),
    ],
)
def test_a_file_is_brought_up_to_date(tmp_path, cases, text):
    assert update_file(tmp_path, *cases).text == text


def test_another_failure_of_the_same_scenario_replaces_the_entry(tmp_path):
    updated_file = update_file(tmp_path, case_outcome("CHK-010", clause="a"))

    assert (updated_file.added, updated_file.removed) == (["CHK-010.a"], ["CHK-010.b"])


def test_a_failure_in_one_dialect_alone_says_so(tmp_path):
    updated_file = update_file(
        tmp_path, case_outcome("CHK-020", clause="a"), case_outcome("CHK-020", Outcome.PASSED, dialect="v0.6")
    )

    assert "    when:\n      dialect:\n      - v0.19\n" in updated_file.text


def test_to_update_again_changes_nothing(tmp_path):
    cases = (*AS_EXPECTED, case_outcome("CHK-011", clause="c"), case_outcome("CHK-020", clause="a"))
    once = update_file(tmp_path, *cases)

    second_update = update_file(tmp_path, *cases, text=once.text)

    assert (second_update.text, second_update.added, second_update.removed, second_update.renewed) == (
        once.text,
        [],
        [],
        [],
    )


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="no file"),
        pytest.param("apiVersion: kueue-conformance.dev/v1\nkind: Expectations\n", id="no list"),
        pytest.param(
            "apiVersion: kueue-conformance.dev/v1\nkind: Expectations\nexpectations: []\n", id="an empty list"
        ),
        pytest.param(
            "apiVersion: kueue-conformance.dev/v1\nkind: Expectations\nexpectations:",
            id="a list without line end",
        ),
        pytest.param(
            "apiVersion: kueue-conformance.dev/v1\nkind: Expectations\nexpectations: []\ninclude: []\n",
            id="something behind it",
        ),
    ],
)
def test_the_first_entry_of_a_file(tmp_path, text):
    file = tmp_path / "e.yaml"
    updated_file = (
        update_file(tmp_path, case_outcome("CHK-020", clause="a"), text=text)
        if text
        else update(file, [case_outcome("CHK-020", clause="a")], WHY, DAY)
    )
    file.write_text(updated_file.text)

    assert [read_entry.clause for read_entry in read([file]).entries] == ["CHK-020.a"]
