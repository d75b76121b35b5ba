"""Feature gates: which a release has, which a scenario needs, and what hangs on one (KV-01, KV-25, KV-26)."""

from contextlib import closing

import pytest

from kueue_conformance import scenario
from kueue_conformance.base.errors import UsageError
from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.control_planes import WORKLOAD_TIMEOUTS
from kueue_conformance.options import read
from kueue_conformance.run import Run
from kueue_conformance.run.feature_support import with_gates
from kueue_conformance.scenarios import dialect
from kueue_conformance.scenarios.feature_gates import gates_of, gates_text, is_enabled, read_gates
from kueue_conformance.scenarios.scenario import Scenario
from kueue_conformance.scenarios.versions import order_of

CAUSES = "UnadmittedWorkloadsObservability"
NAMES_CAUSES = inventory()["ADM-797"]
NAMES_NONE = inventory()["ADM-441"]


def spoken(version, **gates):
    return dialect.select(version)[0].with_gates(gates)


@pytest.mark.parametrize(
    ("name", "version", "is_on"),
    [
        pytest.param(CAUSES, "0.18.4", False, id="before its first release"),
        pytest.param(CAUSES, "0.19.14", False, id="alpha"),
        pytest.param(CAUSES, "0.20.0-devel", True, id="on by default"),
        pytest.param("SchedulingEquivalenceHashingIgnorePodSetName", "0.20.0-devel", False, id="a later one"),
        pytest.param("SchedulingEquivalenceHashing", "0.15.6", True, id="of a patch"),
        pytest.param("SchedulingEquivalenceHashing", "0.16.2", False, id="a patch of an older line"),
        pytest.param("VisibilityOnDemand", "0.9", True, id="a line stands for its first release"),
        pytest.param("HierarchicalCohorts", "0.20.7", False, id="removed"),
    ],
)
def test_a_gate_has_the_default_of_its_release(name, version, is_on):
    assert is_enabled(name, order_of(version), {}) == is_on


@pytest.mark.parametrize(
    ("chosen", "is_on"),
    [
        ({CAUSES: True}, True),
        ({"AllBeta": True}, True),
        ({"AllAlpha": True}, False),
        ({"AllBeta": True, CAUSES: False}, False),
    ],
    ids=["itself", "its stage", "another stage", "itself before its stage"],
)
def test_a_gate_can_be_set_by_itself_or_with_its_stage(chosen, is_on):
    assert gates_of(order_of("0.19.2"))[CAUSES].stage == "Beta"
    assert is_enabled(CAUSES, order_of("0.19.2"), chosen) == is_on


def test_a_locked_gate_stays_as_it_is():
    assert is_enabled("TLSOptions", order_of("0.20.0"), {"AllBeta": False})


def test_gates_are_read_as_they_are_written():
    gates = {"B": False, "A": True}

    assert read_gates(gates_text(gates)) == gates == read_gates(" A=True, B=FALSE,")


@pytest.mark.parametrize("name", ["gates", "without_gates"])
def test_a_scenario_names_gates_that_there_are(name):
    with pytest.raises(UsageError, match=r"unknown feature gate 'UnadmittedWorkload'(?s:.*)did you mean"):
        scenario("ADM-900", "one", requirement="kep-993#hold", shows="", **{name: ("UnadmittedWorkload",)})


@pytest.mark.parametrize(
    ("record", "judged", "missing"),
    [
        pytest.param(NAMES_CAUSES, spoken("0.20.7"), "", id="on by default"),
        pytest.param(
            NAMES_CAUSES,
            spoken("0.20.7", **{CAUSES: False}),
            f"needs feature gate {CAUSES}, which is off",
            id="off",
        ),
        pytest.param(NAMES_CAUSES, spoken("kep993"), "", id="the KEP stands on a release"),
        pytest.param(NAMES_NONE, spoken("0.19.2"), "", id="off by default"),
        pytest.param(
            NAMES_NONE,
            spoken("0.19.2", **{CAUSES: True}),
            f"needs feature gate {CAUSES} off, which is on",
            id="on, and the rule is about off",
        ),
        pytest.param(inventory()["ADM-780"], spoken("0.20.7"), "", id="a release without the gate"),
    ],
)
def test_a_case_whose_gate_is_otherwise_is_unsupported(record, judged, missing):
    with closing(Run(read({}, seed=1))) as run:
        assert run.missing(record, dialect=judged) == missing


@pytest.mark.parametrize(
    ("scenario_id", "gates", "missing"),
    [
        pytest.param("VSB-001", {}, "", id="a feature of the run"),
        pytest.param(
            "VSB-001",
            {"VisibilityOnDemand": False},
            "needs feature gate VisibilityOnDemand, which is off",
            id="its gate was set off",
        ),
        pytest.param("ADM-810", {}, "", id="a gate that the reference has on for the case"),
        pytest.param(
            "ADM-810",
            {"WorkloadLevelWaitForPodsReady": False},
            "needs feature gate WorkloadLevelWaitForPodsReady, which is off",
            id="a gate that is off by default, and was set so",
        ),
        pytest.param(
            "PRC-001",
            {"ProvisioningACC": False},
            "needs feature gate ProvisioningACC, which is off",
            id="a profile",
        ),
    ],
)
def test_a_feature_goes_with_its_gate(scenario_id, gates, missing):
    with closing(Run(read({"profile": "ADMISSION"}, seed=1))) as run:
        assert run.missing(inventory()[scenario_id], dialect=spoken("0.20.7", **gates)) == missing


def test_a_feature_that_its_gate_makes_comes_with_it():
    features = frozenset({"webhooks"})

    assert with_gates(features, spoken("0.20.7", WorkloadLevelWaitForPodsReady=True)) == {
        "webhooks",
        WORKLOAD_TIMEOUTS,
    }
    assert with_gates(features, spoken("0.20.7")) == features


def test_a_scenario_shows_its_gates():
    record = Scenario(id="ADM-900", title="one", requirement=(), shows=(), gates=frozenset({"B", "A"}))

    assert (record.to_dict()["gates"], record.to_dict()["withoutGates"]) == (["A", "B"], [])


@pytest.mark.parametrize(
    ("version", "gates", "reason"),
    [
        ("0.20.7", {}, "WaitingForQuota"),
        ("0.20.7", {CAUSES: False}, "Pending"),
        ("0.19.2", {CAUSES: True}, "WaitingForQuota"),
        ("kep993", {CAUSES: False}, "Pending"),
    ],
    ids=["on by default", "off", "on before its time", "off under the KEP"],
)
def test_facts_follow_the_gate_on_which_they_hang(version, gates, reason):
    assert spoken(version, **gates).fact("unreserved-reasons")["waiting-for-quota"] == reason


def test_facts_of_the_kep_stay_when_a_gate_is_set():
    assert spoken("kep993", **{CAUSES: False}).fact("retry-delay") == "immediate"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        pytest.param("Foo=true", "unknown feature gate 'Foo'", id="unknown"),
        pytest.param(CAUSES, f"feature gate '{CAUSES}' is neither on nor off", id="no value"),
        pytest.param(f"{CAUSES}=1", f"feature gate '{CAUSES}=1' is neither on nor off", id="another value"),
        pytest.param("HierarchicalCohorts=true", "dialect v0.20 has none", id="removed"),
        pytest.param("TLSOptions=false", "cannot be false: dialect v0.20 has it locked", id="locked"),
    ],
)
def test_gates_that_cannot_be_are_refused(text, problem):
    with pytest.raises(UsageError, match=problem):
        read({"feature-gates": text}, seed=1)


def test_gates_that_the_reference_has_not_are_refused_before_the_first_case():
    settings = read({"feature-gates": "LocalQueueMetrics=false"}, seed=1)

    with (
        closing(Run(settings)) as run,
        pytest.raises(
            UsageError, match="--feature-gates: feature gate LocalQueueMetrics is always true here"
        ),
    ):
        run.check_feature_gates()
