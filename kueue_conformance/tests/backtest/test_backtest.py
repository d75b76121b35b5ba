"""docs/backtest.md says what was judged, and the list of fixes holds together."""

import yaml

from kueue_conformance.tests.killing.planes import planes

from .__main__ import RESULTS
from .fixes import in_scope, out_of_scope
from .page import PAGE, page

LEAST_SHARE = 0.8


def test_page_has_what_was_seen():
    results = yaml.safe_load(RESULTS.read_text("utf-8"))

    assert PAGE.read_text("utf-8") == page(results)


def test_every_fix_in_scope_has_a_control_plane_or_a_reason():
    assert [fix.pr for fix in in_scope() if bool(fix.plane) == bool(fix.why)] == []


def test_control_planes_exist_and_were_judged_by_the_scenario_named_for_them():
    known = {plane.name: plane.named for plane in planes()}
    results = yaml.safe_load(RESULTS.read_text("utf-8"))
    named = {fix.plane for fix in in_scope() if fix.plane}

    assert {name: results[name]["scenario"] for name in named} == {name: known[name] for name in named}


def test_a_fix_is_listed_once():
    every = [fix.pr for fix in in_scope()] + [fix.pr for _, group in out_of_scope().values() for fix in group]

    assert [pr for pr in set(every) if every.count(pr) > 1] == []


def test_most_of_what_is_in_scope_is_reported():
    results = yaml.safe_load(RESULTS.read_text("utf-8"))
    reported = [fix for fix in in_scope() if fix.plane and results[fix.plane]["reported"]]

    assert len(reported) >= LEAST_SHARE * len(in_scope())
