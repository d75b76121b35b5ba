"""A controller that speaks v1beta1 is judged on the fake backend in every dialect that serves it, with every
control plane; elsewhere it fails once, with the reason (KV-31).
"""

import pytest

from kueue_conformance.base.resources import load_yaml
from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.control_planes import GATES
from kueue_conformance.scenarios import dialect, feature_gates
from kueue_conformance.stage.kueue.workload_status import FULL, fields_to_apply, pending
from reference_impl.api.crds import definitions
from reference_impl.api.known_releases import NAMED, NEWEST_PATCHES, version_of
from reference_impl.kueue import features

from .controllers import EXAMPLE, judge_program

OLD = (EXAMPLE / "controller.py").read_text("utf-8").replace('"v1beta2"', '"v1beta1"')
DIALECTS = [*dialect.known_dialects()]
SERVING = [
    name for name, known_dialect in dialect.known_dialects().items() if known_dialect.serves("v1beta1")
]
BY_FEATURE = {"VisibilityAdmittedWorkloads"}
"""Gates of the reference that no release has: a feature of the run stands for each."""
# The newest plays both with drawn names and texts as well.
CASES = 2 * len(SERVING) + 2


@pytest.mark.slow
@pytest.mark.parametrize("control_plane", ["scripted", "reference"])
def test_it_is_judged_in_every_dialect(tmp_path, control_plane):
    done = judge_program(
        tmp_path, OLD, "CHK-001", "CHK-180", "--dialect", ",".join(SERVING), "--control-plane", control_plane
    )

    line = f"{CASES} cases: {CASES} passed  (2 scenarios: 2 passed)"
    assert (done.code, line in done.out) == (0, True), done.out


@pytest.mark.slow
def test_where_v1beta1_is_not_served_it_fails_once_and_the_card_says_why(tmp_path):
    done = judge_program(
        tmp_path, OLD, "CHK-001", "CHK-010", "CHK-020", "--dialect", "v0.20", "--timeout-scale", "0.1"
    )

    assert done.code == 1, done.out
    assert done.out.count("it speaks kueue.x-k8s.io/v1beta1, which is not served: there is v1beta2") == 2
    assert "2/2  error  nothing could be judged" in done.out


@pytest.mark.parametrize("name", DIALECTS)
def test_the_scripted_kueue_writes_what_the_dialect_has(name):
    (workload,) = (
        definition
        for definition in definitions(name)
        if definition["metadata"]["name"].startswith("workloads.")
    )
    (version,) = workload["spec"]["versions"]
    status_fields = version["schema"]["openAPIV3Schema"]["properties"]["status"]["properties"]
    check_entry = {**pending("a", "", "now"), "retryCount": 1, "requeueAfterSeconds": 1}
    full = {**FULL, "conditions": [], "admissionChecks": [check_entry]}

    (entry,) = (applied := fields_to_apply(full, dialect.known_dialects()[name].fact("status-lacks")))[
        "admissionChecks"
    ]

    assert (applied.keys(), entry.keys()) == (
        full.keys() & status_fields.keys(),
        check_entry.keys() & status_fields["admissionChecks"]["items"]["properties"].keys(),
    )


def test_releases_known_here_are_those_of_the_reference():
    data = load_yaml("dialects.yaml")
    assert data["newest-patches"] == {
        f"{major}.{minor}": patch for (major, minor), patch in NEWEST_PATCHES.items()
    }
    assert {*NAMED} == {*dialect.known_dialects()}


@pytest.mark.parametrize(
    "name", [*NAMED, "0.9.5", "0.15.7", "0.17.8", "0.19.14", "0.20.0-devel", "0.21.0-rc.3"]
)
def test_feature_gates_known_here_are_those_of_the_reference(name):
    (spoken,) = dialect.select(name)

    assert feature_gates.gates_of(spoken.stands_on) == features.gates_of(version_of(name))


def test_each_gate_that_changes_the_reference_is_named_by_a_scenario_or_a_feature():
    records = inventory().values()
    named = {gate for record in records for gate in (*record.gates, *record.without_gates)}

    assert features.IMPLEMENTED.keys() - named - {*GATES.values()} == BY_FEATURE
