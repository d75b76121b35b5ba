"""The index of exchanges: what it reads without YAML is what the YAML says."""

from kueue_conformance import exchanges
from kueue_conformance.inventory import inventory
from kueue_conformance.vectors.document import topics
from kueue_conformance.vectors.index import folder, index

API = [one for one in inventory().values() if one.profile.name == "API-SERVER"]


def test_index_reads_what_the_yaml_says():
    read = {f"{topic.name}/{one.id}": one.rows for topic in topics(folder()) for one in topic.vectors}

    assert dict(index(folder())) == read


def test_every_exchange_is_a_case_of_one_scenario():
    cases = [row[0] for one in API for row in one.cases.rows]

    assert sorted(cases) == sorted(index(folder()))


def test_evidence_names_the_cases_that_show_a_row():
    made = exchanges(30, 59)

    assert set(made["shows"].split()) == set(made["evidence"])
    assert {case for cases in made["evidence"].values() for case in cases} == {
        row[0] for row in made["cases"].rows
    }
