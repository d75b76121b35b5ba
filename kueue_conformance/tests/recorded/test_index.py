"""The index of exchanges: what it reads without YAML is
what the YAML says, and every row in scope is shown.
"""

import pytest
import yaml

from kueue_conformance import exchanges
from kueue_conformance.base.resources import fixtures
from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.vectors.document import topics
from kueue_conformance.vectors.index import folder, index

API = [scenario for scenario in inventory().values() if scenario.profile.name == "API-SERVER"]

SCOPE = yaml.safe_load((fixtures() / "api-server-scope.yaml").read_text("utf-8"))
SHOWN = {row for rows in index(folder()).values() for row in rows}


def test_index_reads_what_the_yaml_says():
    read = {
        f"{topic.name}/{vector.id}": vector.rows for topic in topics(folder()) for vector in topic.vectors
    }

    assert dict(index(folder())) == read


def test_every_exchange_is_a_case_of_one_scenario():
    cases = [row[0] for scenario in API for row in scenario.cases.rows]

    assert sorted(cases) == sorted(index(folder()))


def test_evidence_names_the_cases_that_show_a_row():
    case_fields = exchanges(30, 59)

    assert set(case_fields["shows"].split()) == set(case_fields["evidence"])
    assert {case for cases in case_fields["evidence"].values() for case in cases} == {
        row[0] for row in case_fields["cases"].rows
    }


@pytest.mark.parametrize("row", SCOPE["rows"])
def test_every_row_in_scope_is_shown_or_argued(row):
    assert (row in SHOWN) + (row in SCOPE["elsewhere"]) + (row in SCOPE["open"]) == 1


@pytest.mark.parametrize("row", [*SCOPE["elsewhere"], *SCOPE["open"]])
def test_an_argued_row_is_in_scope(row):
    assert row in SCOPE["rows"]


@pytest.mark.parametrize("row", SCOPE["elsewhere"])
def test_a_row_that_is_shown_elsewhere_names_a_test(row):
    file, _, name = SCOPE["elsewhere"][row]["test"].partition("::")

    assert f"def {name}(" in (fixtures().parent / file).read_text("utf-8")


def test_there_are_enough_exchanges():
    assert len(index(folder())) >= 900
