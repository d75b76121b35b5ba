"""Several reports of one subject as one (harness/H-30)."""

import copy
import random

import pytest

from kueue_conformance.base.errors import UsageError
from kueue_conformance.report.afterwards.check import problems
from kueue_conformance.report.afterwards.merged_report import merge
from kueue_conformance.report.formats import yaml_file
from kueue_conformance.report.formats.yaml_file import text
from kueue_conformance.scenarios.outcome import Outcome

from .results import FAILED, PASSED, case, report

WHOLE = report(FAILED).to_dict()


def with_change(document, *path, to):
    changed_document = copy.deepcopy(document)
    *parents, last = path
    parent = changed_document
    for step in parents:
        parent = parent[step]
    parent[last] = to
    return changed_document


def shard(*results, **options):
    return report(results, **options).to_dict()


def test_shards_are_the_whole_report():
    merged = merge({"a": shard(*FAILED[:3]), "b": shard(*FAILED[3:])})

    assert {**merged, "environment": WHOLE["environment"]} == WHOLE


def test_order_does_not_matter():
    a, b = shard(*FAILED[:3]), shard(*FAILED[3:])

    assert merge({"a": a, "b": b}) == merge({"b": b, "a": a})


def test_a_merged_report_holds_together():
    assert (
        problems(
            merge({"a": shard(*PASSED), "b": with_change(WHOLE, "environment", "backend", to="envtest")})
        )
        == []
    )


def test_cases_of_several_backends_stay_apart():
    merged = merge(
        {"a": shard(case()), "b": with_change(shard(case()), "environment", "backend", to="envtest")}
    )

    assert [case_row["test"] for case_row in merged["scenarios"][0]["cases"]] == [
        "test_x[v0.19]@envtest/reference",
        "test_x[v0.19]@fake/reference",
    ]
    assert merged["environment"]["backend"] == "envtest,fake"


def test_a_case_that_ends_now_so_now_otherwise_is_flaky():
    merged = merge({"a": shard(case()), "b": shard(case(outcome=Outcome.FAILED, code="assertion"))})

    assert (merged["scenarios"][0]["outcome"], merged["profiles"][0]["result"]) == ("flaky", "partial")


def test_one_part_that_is_not_complete_leaves_the_whole_incomplete():
    assert merge({"a": WHOLE, "b": with_change(WHOLE, "complete", to=False)})["complete"] is False


@pytest.mark.parametrize(
    ("other", "words"),
    [
        pytest.param(
            with_change(WHOLE, "suite", "inventoryDigest", to="sha256:0"),
            "they differ in scenarios",
            id="inventory",
        ),
        pytest.param(
            with_change(WHOLE, "implementation", to={"subject": "x"}), "they differ in subject", id="subject"
        ),
        pytest.param(
            with_change(WHOLE, "environment", "options", "strict", to="1"),
            "they differ in --strict",
            id="levels",
        ),
    ],
)
def test_what_does_not_belong_together_is_refused(other, words):
    with pytest.raises(UsageError, match=f"'a' and 'b' cannot be merged: {words}"):
        merge({"a": WHOLE, "b": other})


def test_reports_of_another_suite_are_refused():
    old = with_change(WHOLE, "suite", "inventoryDigest", to="sha256:0")

    with pytest.raises(UsageError, match="another suite"):
        merge({"a": old, "b": old})


def with_capability(document, **row):
    default_row = {
        "name": "Ready",
        "declared": True,
        "exercised": 0,
        "observed": False,
        "state": "claimed-not-shown",
        "why": "x",
    }
    return with_change(document, "profiles", 0, "extended", to={"capabilities": [{**default_row, **row}]})


def test_what_one_part_observed_was_observed():
    merged = merge({"a": with_capability(WHOLE, observed=True), "b": with_capability(WHOLE)})

    ready = merged["profiles"][0]["extended"]["capabilities"][0]
    assert (ready["name"], ready["declared"], ready["observed"]) == ("Ready", True, True)
    assert problems(merged) == []


def section(rules, cost, **fields):
    return {"rules": rules, "forbidden": [], "cost": cost, "costOfAChange": {}, **fields}


def rule(*verbs, resources=("workloads",)):
    return {"apiGroups": ["kueue.x-k8s.io"], "resources": list(resources), "verbs": list(verbs)}


def test_what_several_runs_needed_and_cost_is_put_together():
    first_footprint = section(
        [rule("get", "list")],
        {"changes": 2, "requests": 6},
        notGranted=[],
        neverUsed=["list pods", "watch pods"],
    )
    other = section(
        [rule("watch")],
        {"changes": 2, "requests": 2},
        notGranted=["watch workloads"],
        neverUsed=["watch pods"],
    )

    merged = merge({"a": {**WHOLE, "footprint": first_footprint}, "b": {**WHOLE, "footprint": other}})

    assert merged["footprint"] == {
        "rules": [rule("get", "list", "watch")],
        "forbidden": [],
        "notGranted": ["watch workloads"],
        "neverUsed": ["watch pods"],
        "cost": {"changes": 4, "requests": 8},
        "costOfAChange": {"requests": 2.0},
    }
    assert problems(merged) == []


PROFILES = {"profile": "ADMISSION,VISIBILITY"}


def shards(assignment, count, **options):
    """Return the reports of shards; `assignment` has the number of the shard of each result."""
    return {
        f"{number}.yaml": shard(
            *(result for result, own in zip(FAILED, assignment, strict=True) if own == number),
            shard=f"{number}/{count}",
            **PROFILES,
            **options,
        )
        for number in range(1, count + 1)
    }


@pytest.mark.parametrize("seed", range(12))
def test_any_split_merged_is_the_report_of_one_run(seed):
    draw = random.Random(seed)
    count = draw.randint(1, 4)
    parts = shards([draw.randint(1, count) for _ in FAILED], count)
    in_any_order = dict(draw.sample(sorted(parts.items()), len(parts)))

    assert text(merge(in_any_order)) == yaml_file.render(report(FAILED, **PROFILES))


def test_a_missing_shard_leaves_the_report_incomplete_and_is_named():
    parts = shards([1, 1, 2, 2, 3, 3], 3)
    del parts["2.yaml"]

    merged = merge(parts)

    assert merged["environment"]["missingShards"] == ["2/3"]
    assert (merged["complete"], merged["profiles"][0]["result"]) == (False, "failure")
    assert problems(merged) == []


def test_shards_that_overlap_are_refused():
    parts = shards([1, 1, 2, 2, 2, 2], 2)

    with pytest.raises(UsageError, match=r"'1\.yaml' and 'again\.yaml' overlap: both are shard 1/2"):
        merge({**parts, "again.yaml": parts["1.yaml"]})


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        pytest.param(("shard", "count"), 3, r"the number of shards \(2 and 3\)", id="count"),
        pytest.param(("shard", "costs"), "sha256:0", "the costs of cases", id="costs"),
        pytest.param(("options", "seed"), 6, r"--seed \(5 and 6\)", id="seed"),
        pytest.param(("options", "level"), "must", r"--level \(its default and must\)", id="selection"),
    ],
)
def test_shards_of_different_divisions_are_refused(path, value, words):
    parts = shards([1, 1, 2, 2, 2, 2], 2)
    other = with_change(parts["2.yaml"], "environment", *path, to=value)

    with pytest.raises(UsageError, match=f"no shards of one run: they differ in {words}"):
        merge({**parts, "2.yaml": other})


def test_a_shard_and_a_whole_run_are_not_merged():
    with pytest.raises(UsageError, match=r"'1\.yaml' is a shard and 'whole\.yaml' is a whole run"):
        merge({**shards([1] * 6, 1), "whole.yaml": WHOLE})


def test_known_failures_of_shards_add_up():
    parts = shards([1, 1, 1, 2, 2, 2], 2)
    row = {"id": "ADM-2*", "where": "known.yaml:3"}
    for (name, part), amount in zip(parts.items(), (2, 3), strict=True):
        parts[name] = with_change(part, "expectations", "matched", to=[{**row, "cases": amount}])

    assert merge(parts)["expectations"]["matched"] == [{**row, "cases": 5}]
