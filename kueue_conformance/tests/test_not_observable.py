"""What is listed as not observable is a row that nothing shows, with the reason (N-06)."""

from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.resources import fixtures, load_yaml

LISTED = load_yaml("not_observable.yaml")["not-observable"]


def test_listed_rows_exist_and_have_a_reason():
    rows = set((fixtures() / "rows.txt").read_text("utf-8").split())

    assert set(LISTED) <= rows
    assert all(LISTED.values())


def test_what_a_scenario_shows_is_not_listed():
    shown = {row for one in inventory().values() for row in one.shows}

    assert shown & set(LISTED) == set()
