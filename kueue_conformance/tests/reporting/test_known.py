"""Differences that are understood: rows, their page, and the command that leaves them out."""

import pytest
import yaml
from jsonschema import Draft202012Validator

from kueue_conformance.base.resources import schema
from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.report.afterwards.comparison import Difference
from kueue_conformance.report.afterwards.known_differences import PAGE, Row, file, page, rows, sort

from ..checkout import ROOT

ROW = Row(
    id="DIF-99",
    servers=("kind",),
    scenarios=("ADM-200",),
    what="conditions of Workload * Admitted",
    a="True*",
    b="none",
    reason="r",
    evidence="e",
    settles="s",
)


def difference(**fields):
    default_fields = {
        "scenario": "ADM-200",
        "case": "test_x",
        "aspect": "conditions of Workload 1 Admitted",
        "a": ["True (Admitted)"],
        "b": None,
    }
    return Difference(**{**default_fields, **fields})


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        pytest.param({}, True, id="as the row says"),
        pytest.param({"scenario": "ADM-204"}, False, id="another scenario"),
        pytest.param({"aspect": "conditions of Workload 1 QuotaReserved"}, False, id="another condition"),
        pytest.param({"a": ["False (NoReservation)"]}, False, id="another value here"),
        pytest.param({"b": ["True (Admitted)"]}, False, id="another value there"),
    ],
)
def test_a_row_names_only_what_it_says(fields, named):
    assert ROW.names(difference(**fields)) is named


def test_what_no_row_names_is_left():
    sorted_differences = sort(
        [difference(), difference(scenario="ADM-204")], [ROW], {"ADM-200", "ADM-204"}, {"fake", "kind"}
    )

    assert (
        [difference_left.scenario for difference_left in sorted_differences.unknown],
        [row.id for _, row in sorted_differences.named],
        sorted_differences.idle,
    ) == (
        ["ADM-204"],
        ["DIF-99"],
        [],
    )


@pytest.mark.parametrize(
    ("compared", "server", "idle"),
    [
        pytest.param({"ADM-200"}, "kind", [ROW], id="its scenarios were compared"),
        pytest.param({"ADM-204"}, "kind", [], id="they were not"),
        pytest.param({"ADM-200"}, "kube-apiserver", [], id="not on its server"),
    ],
)
def test_a_row_that_names_nothing_is_told(compared, server, idle):
    assert sort([], [ROW], compared, {"fake", server}).idle == idle


def test_the_rows_keep_to_their_schema():
    document = yaml.safe_load(file().read_text("utf-8"))

    assert list(Draft202012Validator(schema("known-differences")).iter_errors(document)) == []
    assert len({row.id for row in rows()}) == len(rows())


def test_the_page_is_that_of_the_rows():
    assert (ROOT / PAGE).read_text("utf-8") == page(rows())


@pytest.mark.parametrize("row", [pytest.param(row, id=row.id) for row in rows() if row.needs])
def test_a_row_about_a_feature_lists_the_scenarios_that_need_it(row):
    assert list(row.scenarios) == [
        scenario.id
        for scenario in inventory().values()
        if row.needs in scenario.needs and not scenario.unsupported
    ]


def test_at_most_five_percent_of_the_scenarios_differ():
    differing = {name for row in rows() if not row.needs for name in row.scenarios}

    assert len(differing) <= 0.05 * len(inventory())
