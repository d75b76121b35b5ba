"""Parameters and outside work in a subject file (harness §10.2)."""

from pathlib import Path

import pytest

from kueue_conformance.base.errors import UsageError
from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.scenarios.capability import Capability
from kueue_conformance.subject import effects, parameters
from kueue_conformance.subject.declaration import Declaration, declare
from kueue_conformance.subject.outside_work.objects import ObjectWork

ZOO = Path(__file__).parents[1] / "zoo"
RIGHT = ZOO / "right.yaml"
BUDGET = {"apiGroup": "example.com", "kind": "Budget", "manifest": "budget.yaml"}
WRONG_PARAMETERS = {
    "an unknown field": ({**BUDGET, "size": 3}, "field of parameters"),
    "no kind": ({"apiGroup": "example.com", "manifest": "budget.yaml"}, "parameters.kind is None"),
    "no manifest": ({"apiGroup": "example.com", "kind": "Budget"}, "parameters.manifest is None"),
    "a file that is not there": ({**BUDGET, "manifest": "absent.yaml"}, "absent.yaml"),
    "a manifest without a place": ({**BUDGET, "manifest": "budgets.yaml"}, "no place for a name"),
    "definitions that are no list": ({**BUDGET, "crds": "budgets.yaml"}, "expected a list"),
}
WRONG_EFFECTS = {
    "an unknown field": ({"apiVersion": "v1", "kind": "ConfigMap", "size": 3}, "field of effects"),
    "no kind": ({"apiVersion": "v1"}, "effects.kind is None"),
    "an unknown way": ({"apiVersion": "v1", "kind": "ConfigMap", "by": "name"}, "effects.by"),
    "a label without a name": (
        {"apiVersion": "v1", "kind": "ConfigMap", "by": "label"},
        "effects.label is None",
    ),
}
OWNED = {"metadata": {"name": "a", "ownerReferences": [{"uid": "7"}]}}
LABELLED = {"metadata": {"name": "b", "labels": {"for": "work"}}}
ENDING = {"metadata": {**OWNED["metadata"], "deletionTimestamp": "now"}}


@pytest.mark.parametrize(("declaration", "problem"), WRONG_PARAMETERS.values(), ids=WRONG_PARAMETERS)
def test_wrong_parameters_are_told(declaration, problem):
    assert problem in " ".join(map(str, parameters.problems(declaration, ZOO)))


@pytest.mark.parametrize(("declaration", "problem"), WRONG_EFFECTS.values(), ids=WRONG_EFFECTS)
def test_wrong_effects_are_told(declaration, problem):
    assert problem in " ".join(map(str, effects.problems(declaration, ZOO)))


def test_parameters_are_made_under_a_name():
    declared = declare("", str(RIGHT), "").parameters

    assert [manifest["metadata"]["name"] for manifest in declared.objects("team-b")] == ["team-b"]
    assert declared.reference("team-b") == {"apiGroup": "example.com", "kind": "Budget", "name": "team-b"}


@pytest.mark.parametrize(
    ("label", "names"), [("", ["a"]), ("for", ["b"])], ids=["by their owner", "by a label"]
)
def test_work_is_known(label, names):
    declared = ObjectWork(api_version="v1", kind="ConfigMap", label=label)

    work = declared.among([OWNED, LABELLED, ENDING], "work", frozenset({"7"}))

    assert [manifest["metadata"]["name"] for manifest in work] == names


@pytest.mark.parametrize("capability", [Capability.PARAMETERS, Capability.CLEANUP])
def test_what_cannot_be_seen_is_unsupported(capability):
    silent = Declaration(connect="process:x", controller_name="example.com/x")
    scenario = next(scenario for scenario in inventory().values() if capability in scenario.capabilities)

    assert silent.cannot(scenario).endswith("in a subject file")


def test_a_subject_file_tells_all_that_is_wrong_with_both(tmp_path):
    file = tmp_path / "subject.yaml"
    file.write_text(
        "apiVersion: kueue-conformance.dev/v1\nkind: Subject\nconnect: 'process:x'\ncontrollerName: a.b/c\n"
        "parameters: {apiGroup: example.com}\neffects: {apiVersion: v1}\n"
    )

    with pytest.raises(UsageError, match=r"(?s)parameters\.kind.*effects\.kind"):
        declare("", str(file), "")
