"""The record of a scenario: permanent ids, dialects, selection, digest (H-27)."""

from collections import Counter
from dataclasses import replace

import pytest

from kueue_conformance import rows, scenario
from kueue_conformance.base import resources
from kueue_conformance.base.errors import UsageError
from kueue_conformance.catalogue import inventory
from kueue_conformance.catalogue.patterns import check_patterns, match_scenarios, paths_to_collect
from kueue_conformance.options import read
from kueue_conformance.run.parametrization import cases_of, choose
from kueue_conformance.scenarios import dialect
from kueue_conformance.scenarios.cases import cross
from kueue_conformance.scenarios.scenario import Scenario, inventory_digest

ONE = Scenario(id="ADM-900", title="one", requirement=("kep-993#hold",), shows=("SC-900",))
FILE = 'from kueue_conformance import scenario\n\n@scenario("{id}", "t", requirement="kep-993#hold")\ndef test_{name}(): ...\n'


class Item:
    """What `choose` reads of a test."""

    def __init__(self, record=None, name="test_x[v0.19]"):
        self.name = name
        self._mark = pytest.mark.scenario(record).mark if record else None

    def get_closest_marker(self, _):
        return self._mark


@pytest.mark.parametrize("wrong", ["ADM-1", "XYZ-001", "adm-001", "ADM-0001"])
def test_a_bad_id_is_refused_where_it_is_written(wrong):
    with pytest.raises(ValueError, match=f"scenario id '{wrong}' is not <FAMILY>-<3 digits>"):
        scenario(wrong, "title", requirement="kep-993#hold")


@pytest.fixture
def suites(tmp_path, monkeypatch):
    monkeypatch.setattr(resources, "suites", lambda: tmp_path)
    (tmp_path / "admission").mkdir()

    def write(name, scenario_id):
        (tmp_path / f"admission/test_{name}.py").write_text(FILE.format(id=scenario_id, name=name))

    return write


def test_an_id_used_twice_is_refused(suites):
    suites("a", "ADM-900")
    suites("b", "ADM-900")

    with pytest.raises(ValueError, match="scenario id ADM-900 is used twice, the second time in test_b"):
        inventory._read_family("ADM")


def test_a_scenario_in_the_folder_of_another_family_is_refused(suites):
    suites("a", "QUE-900")

    with pytest.raises(ValueError, match=r"scenario QUE-900 is in test_a\.py, in the folder of ADM"):
        inventory._read_family("ADM")


def test_a_word_of_no_family_is_in_no_inventory():
    assert "FOO-001" not in inventory.inventory()
    assert "AC-001" not in inventory.inventory()


@pytest.mark.parametrize(
    ("bounds", "expected"),
    [
        pytest.param({}, ["v0.6", "docs-2024", "v0.19", "v0.20", "kep993"], id="everywhere"),
        pytest.param({"since": "0.9"}, ["docs-2024", "v0.19", "v0.20"], id="since"),
        pytest.param(
            {"since": "0.9", "also": ("kep993",)}, ["docs-2024", "v0.19", "v0.20", "kep993"], id="also"
        ),
        pytest.param({"only": ("kep993",)}, ["kep993"], id="only"),
    ],
)
def test_a_scenario_runs_where_its_rule_holds(bounds, expected):
    record = replace(ONE, **bounds)

    _, rows, ids = cases_of(record, read({"dialect": "all"}, seed=1))

    assert ids == expected == [row[0].name for row in rows]
    assert [
        name
        for name, known_dialect in dialect.known_dialects().items()
        if record.holds_in(known_dialect) and not known_dialect.rare
    ] == expected


@pytest.mark.parametrize(
    ("dialects", "bounds", "expected"),
    [
        pytest.param(
            "all",
            {},
            {"v0.6": 1, "docs-2024": 1, "v0.19": 1, "v0.20": 4, "kep993": 1},
            id="the newest has every case",
        ),
        pytest.param(
            "all", {"until": "0.9"}, {"v0.6": 1, "docs-2024": 4}, id="of those in which the rule holds"
        ),
        pytest.param("v0.6", {}, {"v0.6": 4}, id="one alone has every case"),
    ],
)
def test_of_several_dialects_the_newest_has_every_case(dialects, bounds, expected):
    record = replace(ONE, **bounds, cases=cross(form=("job", "workload"), checks=(1, 2)))

    _, rows, _ = cases_of(record, read({"dialect": dialects}, seed=1))

    assert Counter(row[0].name for row in rows) == expected


@pytest.mark.parametrize(
    ("cases", "older"),
    [
        pytest.param("all", 6, id="all"),
        pytest.param("each", 3, id="each"),
        pytest.param("shared", 1, id="shared"),
    ],
)
def test_cases_of_the_older_dialects_are_as_many_as_asked_for(cases, older):
    record = replace(ONE, cases=cross(checks=(1, 2, 3), form=("job", "workload")))

    _, rows, _ = cases_of(record, read({"dialect": "all", "cases": cases}, seed=1))

    cases_by_dialect = Counter(row[0].name for row in rows)
    assert cases_by_dialect == dict.fromkeys(("v0.6", "docs-2024", "v0.19", "kep993"), older) | {"v0.20": 6}


def test_older_dialects_that_share_cases_have_every_value_together():
    record = replace(ONE, cases=cross(checks=(1, 2, 3), form=("job", "workload")))

    _, rows, _ = cases_of(record, read({"dialect": "all"}, seed=1))

    older = [row[1:] for row in rows if row[0].name != "v0.20"]
    assert [set(column) for column in zip(*older, strict=True)] == [{1, 2, 3}, {"job", "workload"}]


@pytest.mark.parametrize(
    ("dialects", "expected"),
    [
        pytest.param("v0.20", [("v0.20", "v1beta2")], id="not served"),
        pytest.param(
            "v0.20.0-devel", [("v0.20.0-devel", "v1beta2"), ("v0.20.0-devel", "v1beta1")], id="before"
        ),
        pytest.param(
            "v0.19,v0.20,kep993",
            [("v0.19", "v1beta1"), ("v0.19", "v1beta2"), ("v0.20", "v1beta2"), ("kep993", "v1beta2")],
            id="the newest that serves it",
        ),
    ],
)
def test_cases_in_a_version_are_of_the_dialects_that_serve_it(dialects, expected):
    """KV-31."""
    record = replace(ONE, cases=cross(version=("v1beta2", "v1beta1")))

    _, rows, _ = cases_of(record, read({"dialect": dialects}, seed=1))

    assert sorted((row[0].name, row[1]) for row in rows) == sorted(expected)


def test_cases_of_the_same_words_are_numbered():
    record = replace(
        ONE, cases=rows("failure how", ("hangs", {}), ("hangs", {"method": "b"}), ("breaks", {}))
    )

    assert cases_of(record, read({}, seed=1))[2] == ["v0.20-hangs0", "v0.20-hangs1", "v0.20-breaks"]


def test_no_two_cases_of_a_scenario_have_one_id():
    settings = read({"dialect": "all"}, seed=1)
    counts = {name: Counter(cases_of(record, settings)[2]) for name, record in inventory.inventory().items()}

    assert {name: ids for name, ids in counts.items() if ids and max(ids.values()) > 1} == {}


def test_another_word_for_the_cases_is_a_usage_error():
    with pytest.raises(UsageError, match="value of --cases"):
        read({"cases": "some"}, seed=1)


@pytest.mark.parametrize(
    ("options", "places"),
    [
        pytest.param({}, ["check_controller"], id="whole profile"),
        pytest.param({"select": "CHK-160"}, ["check_controller/test_scale.py"], id="id"),
        pytest.param(
            {"select": "CHK-160,CHK-162,CHK-140"},
            ["check_controller/test_economy.py", "check_controller/test_scale.py"],
            id="ids",
        ),
        pytest.param({"select": "ADM-204"}, ["check_controller"], id="other profile"),
    ],
)
def test_a_run_collects_no_more_modules_than_it_asks_for(options, places):
    settings = read({"profile": "CHECK-CONTROLLER", "subject": "reference", **options}, seed=1)

    assert paths_to_collect(settings) == [resources.suites() / folder for folder in places]


@pytest.mark.parametrize(
    ("options", "is_kept"),
    [
        pytest.param({}, True, id="whole profile"),
        pytest.param({"select": "ADM-900"}, True, id="id"),
        pytest.param({"select": "ADM-9*"}, True, id="glob"),
        pytest.param({"select": "SC-900"}, True, id="row"),
        pytest.param({"select": "kep-993#hold"}, True, id="requirement"),
        pytest.param({"select": "ADM-1*"}, False, id="another"),
        pytest.param({"profile": "QUEUEING"}, False, id="other profile"),
    ],
)
def test_selection(options, is_kept):
    item = Item(ONE)

    assert choose([item], read(options, seed=1)) == (([item], []) if is_kept else ([], [item]))


@pytest.mark.parametrize(
    ("patterns", "exchanges"),
    [
        pytest.param([], ["a/x", "a/y"], id="everything"),
        pytest.param(["ADM-900"], ["a/x", "a/y"], id="its id"),
        pytest.param(["kep-993#*"], ["a/x", "a/y"], id="its requirement"),
        pytest.param(["FK-031"], ["a/y"], id="a row that one case shows"),
        pytest.param(["FK-03*"], ["a/x", "a/y"], id="rows that both show"),
    ],
)
def test_a_row_chooses_the_cases_that_show_it(patterns, exchanges):
    record = replace(
        ONE,
        shows=("FK-030", "FK-031"),
        cases=rows("exchange", ("a/x",), ("a/y",)),
        evidence={"FK-030": ("a/x",), "FK-031": ("a/y",)},
    )

    assert [row[0] for row in record.match_cases(patterns).rows] == exchanges


def test_an_ordinary_test_is_never_deselected():
    item = Item()

    assert choose([item], read({"select": "ADM-900"}, seed=1)) == ([item], [])


def test_words_choose_from_the_inventory():
    assert [scenario.id for scenario in match_scenarios(["ADM-204", "ADM-203"])] == ["ADM-203", "ADM-204"]


def test_a_word_that_chooses_nothing_has_a_nearest_one():
    with pytest.raises(UsageError) as caught:
        check_patterns(["ADM204"])

    assert str(caught.value) == "unknown scenario 'ADM204'\n  hint: did you mean 'ADM-204'?"


@pytest.mark.parametrize(
    "other",
    [
        pytest.param([ONE, replace(ONE, id="ADM-901")], id="one more"),
        pytest.param([replace(ONE, revision=2)], id="another revision"),
        pytest.param([], id="none"),
    ],
)
def test_digest_tells_suites_apart(other):
    assert inventory_digest(other) != inventory_digest([ONE])


def test_digest_is_about_ids_and_revisions_only():
    other = replace(ONE, id="ADM-901")

    assert inventory_digest([ONE, other]) == inventory_digest([other, replace(ONE, title="another title")])


@pytest.mark.parametrize(
    ("needs", "case", "expected"),
    [
        pytest.param((), {"form": "job"}, (), id="nothing"),
        pytest.param((), {"version": "v1beta2"}, (), id="the newest version"),
        pytest.param(("journal",), {"version": "v1beta1"}, ("journal", "webhooks"), id="an older version"),
        pytest.param(("webhooks",), {"version": "v1beta1"}, ("webhooks",), id="said already"),
    ],
)
def test_an_older_version_needs_somebody_who_converts(needs, case, expected):
    record = Scenario(id="ADM-001", title="t", requirement=("kep-993#hold",), shows=(), needs=needs)

    assert record.needs_of(case) == expected
