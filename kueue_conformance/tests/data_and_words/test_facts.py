"""The fact pages: every id that is named anywhere is a row, and every correction is one."""

import re

import pytest
from click.testing import CliRunner

from kueue_conformance.catalogue.facts import announced, facts_by_name, read
from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.cli import cli
from kueue_conformance.scenarios.outcome import Level

from ..checkout import ROOT, files

CITED = re.compile(
    r"(?P<end>to |…|-)?\b(?P<id>(?:AC|SC|CC|Q|FK|PR|PA|VIS|QC|PC|DA|DK|CV|GT|BUG|CTL|DIV|EV|SD|TP|OQ|JI|SH|ST|PY)-\d{2,3}[a-z]?)\b"
)
"""Ids that belong to one page. The end of a range may be a number that no row has."""
MADE_UP = {"SC-900", "FK-03"}
"""Ids of tests that are to be no row."""


def test_every_id_that_is_named_is_a_row():
    ids = {fact.id for fact in facts_by_name().values()}
    rows = {*ids, *(name[:-1] for name in ids if name[-1].isalpha())}
    unknown = {}
    for file in files():
        if file.suffix in {".py", ".yaml", ".md"} and ROOT / "docs/facts" not in file.parents:
            for citation in CITED.finditer(file.read_text("utf-8")):
                if not citation["end"] and citation["id"] not in MADE_UP and citation["id"] not in rows:
                    unknown.setdefault(citation["id"], str(file.relative_to(ROOT)))

    assert unknown == {}


def test_every_correction_is_a_row():
    assert [
        (fact.name, name)
        for fact in facts_by_name().values()
        for name in fact.corrected
        if name not in facts_by_name()
    ] == []


def test_rows_have_cells_and_are_on_one_line():
    empty = [fact.name for fact in facts_by_name().values() if not fact.cells]

    assert (empty, len(facts_by_name()) > 3500) == ([], True)


def test_a_page_is_read():
    page = "# P\n## 1. One\n| ID | Rule | Src |\n|---|---|---|\n| AB-1 ⚠ seen/C-01 seen/C-02 | a \\| b | K |\n| AB-2 | c | |\n"
    first, second = read("p", page)

    assert (first.name, first.section, first.cells, first.corrected) == (
        "p/AB-1",
        "1. One",
        {"Rule": "a \\| b", "Src": "K"},
        ("seen/C-01", "seen/C-02"),
    )
    assert (second.id, second.cells) == ("AB-2", {"Rule": "c"})


def test_what_no_release_was_seen_to_do_is_no_more_than_a_may():
    assert [
        scenario.id
        for scenario in inventory().values()
        if announced(scenario.shows) and scenario.level != Level.MAY
    ] == []


@pytest.mark.parametrize(
    ("row", "texts"),
    [
        (
            "Q-161",
            [
                "Q-161  scheduling.md",
                "FNV-1a",
                "code      reference_impl/kueue/scheduling/flavor_assigner.py",
            ],
        ),
        (
            "AC-282",
            ["corrected by C-01 (observed-kueue.md)", "Changing the state back to Pending", "ADM-034"],
        ),
        ("harness/H-42", ["H-42  harness.md"]),
        ("ADM-645", ["unseen    release notes alone tell of KV-33: no release was seen to do so"]),
        ("BUG-001", ["apart     history: check controllers in the wild"]),
        ("PA-053", ["PA-053a  provisioning.md", "PA-053b  provisioning.md"]),
    ],
    ids=["code", "correction and scenario", "of a page", "unseen", "apart", "rows with letters"],
)
def test_explain_tells_a_row(row, texts):
    done = CliRunner().invoke(cli, ["explain", row], standalone_mode=False)

    assert done.exception is None
    for text in texts:
        assert text in done.output
