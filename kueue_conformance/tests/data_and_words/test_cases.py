"""Cases of a scenario: every combination, or every pair."""

import itertools

import pytest

from kueue_conformance.scenarios.cases import ONE_CASE, case_id, cross, pairwise, rows
from kueue_conformance.scenarios.tables import table

DIMENSIONS = {
    "checks": (0, 1, 2, 3),
    "order": ("first", "last"),
    "form": ("job", "workload"),
    "state": ("Retry", "Rejected", "Ready"),
}


def pairs(cases):
    return {pair for case in cases.parameters() for pair in itertools.combinations(sorted(case.items()), 2)}


def test_cross_has_every_combination_in_order():
    cases = cross(checks=(1, 2), form=("job", "workload"))

    assert (cases.names, cases.rows) == (
        ("checks", "form"),
        ((1, "job"), (1, "workload"), (2, "job"), (2, "workload")),
    )


def test_combinations_that_repeat_another_can_be_left_out():
    cases = cross(checks=(1, 2), order=("first", "last"))

    assert cases.without(checks=1, order="last").rows == ((1, "first"), (2, "first"), (2, "last"))


def test_pairwise_has_every_pair():
    assert pairs(pairwise(**DIMENSIONS)) == pairs(cross(**DIMENSIONS))


def test_pairwise_is_much_smaller_than_the_cross():
    assert len(pairwise(**DIMENSIONS).rows) <= 14 < len(cross(**DIMENSIONS).rows)


def test_pairwise_is_the_same_every_time():
    assert pairwise(**DIMENSIONS) == pairwise(**DIMENSIONS)


def test_pairwise_of_one_dimension_has_every_value():
    assert pairwise(form=("job", "workload")).rows == (("job",), ("workload",))


def test_each_value_occurs_in_few_of_the_cases():
    cases = pairwise(**DIMENSIONS)

    few = cases.of_each_value()

    assert set(few.rows) < set(cases.rows)
    assert len(few.rows) == 5
    assert [set(column) for column in zip(*few.rows, strict=True)] == [
        set(values) for values in DIMENSIONS.values()
    ]


@pytest.mark.parametrize(
    "cases", [cross(), cross(form=("job", "workload")), rows("what spec", ("a", {}), ("b", {}))]
)
def test_cases_of_one_dimension_are_all_needed(cases):
    assert cases.of_each_value() == cases


def test_shared_cases_are_dealt_to_the_runs_and_one_that_has_all():
    cases = rows("a b", *((n, n) for n in range(8)))

    first_values = [[a for a, _ in run.rows] for run in cases.deal(3)]

    assert first_values == [[0, 4], [1, 5], [2, 6]]


@pytest.mark.parametrize(
    ("cases", "expected"),
    [
        pytest.param(ONE_CASE, [1, 1, 1], id="one case is in each run"),
        pytest.param(cross(form=("job", "workload")), [1, 1, 1], id="fewer values than runs"),
        pytest.param(rows("a b", *((n, n) for n in range(7))), [2, 2, 2], id="as many as there are values"),
        pytest.param(rows("a b"), [0, 0, 0], id="none"),
    ],
)
def test_each_run_has_a_case_when_there_is_one(cases, expected):
    assert [len(run.rows) for run in cases.deal(3)] == expected


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param(9, [("0",), ("4",), ("8",)], id="a line for each run"),
        pytest.param(20, [("0", "16"), ("4",), ("8",)], id="dealt in turns, 12 to the run that has all"),
        pytest.param(4, [("0",), ("1",), ("2",)], id="fewer in the sample than runs"),
    ],
)
def test_of_examples_every_fourth_is_dealt(lines, expected):
    examples = table("case\n" + "\n".join(map(str, range(lines)))).cases

    assert [tuple(name for (name,) in run.rows) for run in examples.deal(3)] == expected


def test_a_run_beyond_the_values_has_a_combination_of_its_own():
    dealt = cross(form=("job", "workload"), checks=(1, 2)).deal(4)

    assert len({run.rows for run in dealt}) == 4


def test_listed_has_exactly_its_rows():
    assert rows("a b", (1, 2), (3, 4)).parameters() == [{"a": 1, "b": 2}, {"a": 3, "b": 4}]


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        pytest.param({"checks": 2, "form": "job"}, "2-checks-job", id="number and word"),
        pytest.param({"strict": True}, "strict", id="true"),
        pytest.param({"strict": False}, "no-strict", id="false"),
        pytest.param({"key": "a/b c"}, "a-b-c", id="no slash, no blank"),
        pytest.param({"what": "overhead", "spec": {"cpu": "2"}}, "overhead", id="object beside a word"),
        pytest.param({"more": [{"a": "b"}]}, "[{'a':-'b'}]", id="object alone"),
        pytest.param({"sends": {"nodes": 2, "late": True}}, "2-nodes-late", id="numbers of an object"),
        pytest.param({"policies": (None, "Anytime")}, "None+Anytime", id="several words"),
        pytest.param({"passes": ()}, "no-passes", id="none of several"),
        pytest.param({}, "only", id="no dimension"),
    ],
)
def test_case_id_is_readable(parameters, expected):
    assert case_id(parameters) == expected


def test_more_cases_come_after_and_none_twice():
    few = rows("form version", ("job", "v1beta2"))

    assert cross(form=("job",), version=("v1beta2",)).besides(few) == few
    assert few.besides(rows("form version", ("job", "v1beta1"))).rows[-1] == ("job", "v1beta1")


@pytest.mark.parametrize(
    ("parameters", "id_"),
    [
        pytest.param({"form": "job", "version": "v1beta2"}, "job", id="newest"),
        pytest.param({"form": "job", "version": "v1beta1"}, "job-v1beta1", id="older"),
    ],
)
def test_the_newest_version_goes_without_saying(parameters, id_):
    assert case_id(parameters) == id_


def test_few_of_the_cases_are_also_beside_namesakes_and_not_those_with_drawn_data():
    cases = cross(form=("job", "workload")).also_drawn(form="job").also_beside_namesakes(form="workload")

    assert [case_id(case) for case in cases.parameters()] == [
        "job",
        "workload",
        "job-drawn",
        "workload-namesakes",
    ]


def test_few_of_the_cases_are_also_drawn():
    cases = cross(form=("job", "workload"), order=("first", "last")).also_drawn()

    assert cases.names == ("form", "order", "data")
    assert cases.rows[4:] == (("job", "first", "drawn"), ("workload", "last", "drawn"))
    assert {row[2] for row in cases.rows[:4]} == {"plain"}


def test_those_of_some_values_can_be_drawn():
    cases = cross(form=("job", "workload"), order=("first", "last")).also_drawn(form="job")

    assert cases.rows[4:] == (("job", "first", "drawn"), ("job", "last", "drawn"))


@pytest.mark.parametrize(
    ("parameters", "id_"),
    [
        pytest.param({"form": "job", "data": "plain"}, "job", id="plain"),
        pytest.param({"form": "job", "data": "drawn"}, "job-drawn", id="drawn"),
        pytest.param({"data": "plain"}, "plain", id="plain alone"),
        pytest.param({"data": "drawn"}, "drawn", id="drawn alone"),
    ],
)
def test_plain_data_go_without_saying_beside_other_dimensions(parameters, id_):
    assert case_id(parameters) == id_
