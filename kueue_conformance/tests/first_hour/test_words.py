"""Ids as people type them, and dialects by their version; every id that is printed can be explained."""

import pytest
from click.testing import CliRunner

from kueue_conformance import options
from kueue_conformance.base.errors import UsageError
from kueue_conformance.catalogue import facts
from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.catalogue.patterns import match_scenarios
from kueue_conformance.catalogue.requirement import catalogue
from kueue_conformance.cli import cli
from kueue_conformance.rules import RULES
from kueue_conformance.scenarios import dialect
from kueue_conformance.scenarios.scenario import normal

TYPED = {
    "CHK-14": "CHK-014",
    "chk-014": "CHK-014",
    "CHK-014.b": "CHK-014",
    "adm-2*": "ADM-2*",
    "cc-036": "CC-036",
    "f-07.5": "F-07.5",
    "kep-993#retry": "kep-993#retry",
    "kep-993*": "kep-993*",
    "AC-273": "AC-273",
}


@pytest.mark.parametrize(("typed", "meant"), TYPED.items(), ids=TYPED)
def test_an_id_is_meant_however_it_is_typed(typed, meant):
    assert normal(typed) == meant


def test_a_run_takes_ids_as_they_are_typed():
    assert options.read({"select": "chk-14,ADM-204.b", "exclude": "adm-12"}, seed=1).select == (
        "CHK-014",
        "ADM-204",
    )


SORTS = [
    "CHK-014",
    "chk-14",
    "CHK-014.b",
    "F-07.5",
    "CC-020",
    "AC-273",
    "kep-993#prechecked-to-suspended-retry",
    "adm-204",
]


@pytest.mark.parametrize("word", SORTS)
def test_each_sort_of_id_is_explained(word):
    assert CliRunner().invoke(cli, ["explain", word]).exit_code == 0


def test_every_id_that_is_printed_can_be_explained():
    scenarios = inventory().values()
    words = {word for scenario in scenarios for word in scenario.words} | {rule.id for rule in RULES}
    printed = {
        *(f"{scenario.id}.{key}" for scenario in scenarios for key in scenario.clauses),
        *(scenario.id for scenario in scenarios),
        *catalogue(),
        *(name for scenario in scenarios for name in scenario.requirement),
        *(row for scenario in scenarios for row in scenario.shows),
        *(rule.id for rule in RULES),
    }
    alone = {word for word in printed if normal(word) not in words}

    assert (
        sorted(word for word in alone if not facts.facts_named(normal(word)) and not match_scenarios([word]))
        == []
    )


NEAREST = {"v0.22": "v0.20", "0.5": "v0.6", "v1.0": "v0.20"}


@pytest.mark.parametrize(("typed", "nearest"), NEAREST.items(), ids=NEAREST)
def test_a_version_that_is_no_dialect_has_a_nearest_one(typed, nearest):
    with pytest.raises(UsageError) as refused:
        dialect.select(typed)

    assert refused.value.hint == (
        f"did you mean {nearest!r}? known: v0.6, docs-2024, v0.19, v0.20, kep993, ca-1.30, ca-1.31, ca-1.32, ca-1.33, ca-1.34, ca-1.35, ca-1.36, ca-1.37, aep, all, or a release such as 0.19.14"
    )
