"""Every row on admission is shown by a scenario or a safety rule,
or listed as not observable with the reason (N-06).
"""

from kueue_conformance.base.resources import fixtures, load_yaml
from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.rules import RULES

LISTED = load_yaml("not_observable.yaml")["not-observable"]
ROWS = set((fixtures() / "rows.txt").read_text("utf-8").split())
SHOWN = {row for scenario in inventory().values() if not scenario.unsupported for row in scenario.shows}
JUDGED = {rule.id for rule in RULES}


def test_listed_rows_exist_and_have_a_reason():
    assert set(LISTED) <= ROWS
    assert all(LISTED.values())


def test_what_a_scenario_or_a_rule_shows_is_not_listed():
    assert (SHOWN | JUDGED) & set(LISTED) == set()


def test_every_row_on_admission_is_shown_or_listed():
    on_admission = {row for row in ROWS if row.startswith("AC-")}

    assert on_admission - SHOWN - JUDGED - set(LISTED) == set()
