"""A run is divided by cost: every case is in one shard; merged, the shards are the whole report."""

import re
from collections import Counter
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kueue_conformance.base.errors import UsageError
from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.options.shard import Shard, read_shard
from kueue_conformance.run.sharding import cases_of_shard, divide
from kueue_conformance.scenarios.case_costs import CaseCosts, read_case_costs
from kueue_conformance.scenarios.dialect import known_dialects

from ..command_line.processes import run

COSTS = CaseCosts({"ADM-200": 0.1, "ADM-204": 0.3, "ADM-226": 2.0})
UNITS = st.dictionaries(st.tuples(st.sampled_from("abcdefghij"), st.sampled_from("vw")), st.floats(0.001, 9))


def case(scenario, dialect, number):
    """A collected case of a scenario."""
    marker = SimpleNamespace(args=[inventory()[scenario]])
    return SimpleNamespace(
        nodeid=f"test_x[{scenario}-{dialect}-{number}]",
        callspec=SimpleNamespace(params={"kueue_dialect": known_dialects()[dialect]}),
        get_closest_marker=lambda name: marker if name == "scenario" else None,
    )


def own_test(name):
    return SimpleNamespace(nodeid=name, get_closest_marker=lambda name: None)


COLLECTED = [
    *(
        case(scenario, dialect, number)
        for scenario in ("ADM-200", "ADM-204", "ADM-226", "ADM-012")
        for dialect in ("v0.19", "v0.20")
        for number in range(3)
    ),
    own_test("test_own.py::test_a"),
    own_test("test_own.py::test_b"),
]


@given(UNITS, st.integers(1, 5))
def test_shards_differ_by_no_more_than_the_dearest_unit(costs, count):
    numbers = divide(costs, count)
    loads = Counter(dict.fromkeys(range(1, count + 1), 0.0))
    for unit, number in numbers.items():
        loads[number] += costs[unit]

    assert numbers.keys() == costs.keys()
    assert max(loads.values()) - min(loads.values()) <= max(costs.values(), default=0) + 1e-9


@given(st.permutations(range(8)))
def test_the_order_of_collection_decides_nothing(order):
    costs = {(f"s{number}", "v"): 1.0 + number % 3 for number in range(8)}

    assert divide({(f"s{number}", "v"): costs[f"s{number}", "v"] for number in order}, 3) == divide(costs, 3)


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_every_case_is_in_one_shard(count):
    shards = [cases_of_shard(COLLECTED, Shard(number, count, COSTS)) for number in range(1, count + 1)]

    assert sorted(item.nodeid for own, _ in shards for item in own) == sorted(
        item.nodeid for item in COLLECTED
    )
    assert all(len(own) + len(others) == len(COLLECTED) for own, others in shards)


def test_cases_of_a_scenario_in_a_dialect_stay_together():
    own, _ = cases_of_shard(COLLECTED, Shard(1, 3, COSTS))

    amounts = Counter(item.nodeid.rpartition("-")[0] for item in own if "[" in item.nodeid)
    assert set(amounts.values()) == {3}


def test_a_scenario_without_figures_costs_the_mean():
    assert (COSTS.of("ADM-226"), COSTS.of("ADM-012")) == (2.0, pytest.approx(0.8))


def test_runs_refine_the_table():
    refined = COSTS.refine([("ADM-204", 0.5), ("ADM-204", 0.7), ("ADM-012", 0.0)])

    assert refined.seconds == {**COSTS.seconds, "ADM-204": 0.6, "ADM-012": 0.001}


def test_the_table_of_this_version_names_scenarios_of_the_suites():
    assert read_case_costs().seconds.keys() <= inventory().keys()


@pytest.mark.parametrize("text", ["0/3", "4/3", "a/b", "1/2/3", "3", "/", "1/", "-1/3", "1/1001", "1.0/2"])
def test_a_wrong_shard_is_told(text):
    with pytest.raises(UsageError, match=f"--shard is '{re.escape(text)}', expected K/N: shard K of N"):
        read_shard(text, "")


def test_costs_without_a_shard_are_told():
    with pytest.raises(UsageError, match="the run is not divided\n  hint: add --shard"):
        read_shard("", "costs.json")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("[]", "it is a list", id="list"),
        pytest.param('{"ADM-204": 0}', "ADM-204 has 0", id="nothing"),
        pytest.param('{"ADM-204": true}', "ADM-204 has True", id="truth"),
        pytest.param("{", "is no table of the costs", id="no JSON"),
    ],
)
def test_a_file_that_is_no_table_is_told(tmp_path, text, words):
    (tmp_path / "costs.json").write_text(text)

    with pytest.raises(UsageError, match=words):
        read_shard("1/2", str(tmp_path / "costs.json"))


def test_a_missing_table_is_told():
    with pytest.raises(UsageError, match=r"'no\.json' cannot be read: No such file"):
        read_shard("1/2", "no.json")


def test_a_shard_without_cases_says_so(tmp_path):
    done = run("run", "ADM-204", "--dialect", "v0.20", "--shard", "2/2", "-n", "0", cwd=tmp_path)

    assert done.code == 5
    assert "nothing ran: shard 2/2 has none of the selected cases" in done.err


MOVING = re.compile(
    r"^ +seconds: .+\n|^date: .+\n|^ +waits:\n(?: +[\w-]+:\n(?: +- [0-9.e-]+\n)+)+", re.MULTILINE
)
SELECTED = (
    "ADM-012",
    "ADM-206",
    "QUE-011",
    "--profile",
    "ADMISSION,QUEUEING,VISIBILITY",
    "--dialect",
    "v0.20",
)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_merged_shards_are_the_report_of_one_run(tmp_path):
    for name, words in (
        ("whole", ["-n0", "--seed=1"]),
        ("1", ["-n0", "--shard=1/2"]),
        ("2", ["-n2", "--shard=2/2"]),
    ):
        (tmp_path / name).mkdir()
        assert run("run", *SELECTED, *words, "--report-dir", "report", cwd=tmp_path / name).code == 0

    merged = run(
        "report",
        "merge",
        "2/report/report.yaml",
        "1/report/report.yaml",
        "--out",
        "merged.yaml",
        cwd=tmp_path,
    )

    assert (merged.code, merged.err) == (0, "")
    whole, together = (
        MOVING.sub("", (tmp_path / name).read_text("utf-8"))
        for name in ("whole/report/report.yaml", "merged.yaml")
    )
    assert together == whole
