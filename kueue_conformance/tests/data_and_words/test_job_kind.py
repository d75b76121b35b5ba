"""The field `job` of a subject file: what is wrong with it, and what it says of a job."""

from dataclasses import replace

import pytest

from kueue_conformance.base.errors import UsageError
from kueue_conformance.base.job_fields import BATCH_JOBS
from kueue_conformance.options import read
from kueue_conformance.options.settings_reader import OWN_INTEGRATION
from kueue_conformance.subject.declaration import declare

JOB = """apiVersion: example.com/v1
kind: Training
metadata: {name: "${name}", namespace: "${namespace}", labels: {kueue.x-k8s.io/queue-name: "${queue}"}}
spec:
  hold: true
  workers: {count: "${parallelism}", template: {spec: {containers: [{name: main, image: train}]}}}
"""
SUBJECT = """apiVersion: kueue-conformance.dev/v1
kind: Subject
connect: process:./trainings
job:
  manifest: job.yaml
  suspend: spec.hold
  podSets: [{template: spec.workers.template, count: spec.workers.count}]
  status: {running: {active: "${parallelism}"}, stopped: {active: 0}, succeeded: {phase: Done}, failed: {phase: Failed}}
"""


def with_option(line):
    """Return the subject file with another line in the field job."""
    return SUBJECT.replace("  suspend: spec.hold\n", f"  suspend: spec.hold\n  {line}\n")


@pytest.fixture
def declared(tmp_path):
    def write(subject=SUBJECT, job=JOB):
        (tmp_path / "job.yaml").write_text(job)
        (tmp_path / "subject.yaml").write_text(subject)
        return declare("", str(tmp_path / "subject.yaml"), "")

    return write


def test_the_paths_say_what_holds_a_job_back_and_what_runs(declared):
    kind = declared().job_kind
    job = kind.new_job(name="a", namespace="b", queue="c", parallelism=3, cpu="1")

    assert (
        kind.is_suspended(job),
        kind.counts(job),
        kind.templates(job)[0]["spec"]["containers"][0]["name"],
    ) == (
        True,
        [3],
        "main",
    )


def test_a_least_count_is_a_number_in_a_spec_and_a_text_in_an_annotation(declared):
    field = "minCount: {metadata: {annotations: {min: '${minCount}'}}, spec: {min: '${minCount}'}}"
    options = declared(with_option(field)).job_kind.options

    job = options.with_min_count({"metadata": {"name": "a"}, "spec": {"hold": True}}, 2)

    assert job == {"metadata": {"name": "a", "annotations": {"min": "2"}}, "spec": {"hold": True, "min": 2}}


def test_capabilities_are_features_that_scenarios_need(declared):
    options = declared(with_option("capabilities: [Events, Replicas]")).job_kind.options

    assert options.features == {"job.capabilities: Events", "job.capabilities: Replicas"}


def test_a_status_is_filled_in(declared):
    assert declared().job_kind.status("running", parallelism=2, time="now") == {"active": 2}


def test_an_integration_may_write_workloads_and_its_own_kind(declared):
    rules = {
        (group, resource): set(rule["verbs"])
        for rule in declared().rights
        for group in rule["apiGroups"]
        for resource in rule["resources"]
    }

    assert "create" in rules["kueue.x-k8s.io", "workloads"]
    assert "create" not in rules["example.com", "trainings"]
    assert "patch" in rules["example.com", "trainings"]


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"subject": SUBJECT.replace("manifest: job.yaml", "manifest: 3")}, "job.manifest is 3"),
        ({"subject": with_option("capabilities: [PodReady]")}, "capability of job 'PodReady'"),
        ({"subject": with_option("capabilities: PodsReady")}, "job.capabilities is 'PodsReady'"),
        ({"subject": with_option("capabilities: [PodsReady]")}, "job.status.starting is missing"),
        ({"subject": with_option("capabilities: [MultiKueue]")}, "job.managedBy is missing"),
        ({"subject": with_option("minCount: 3")}, "job.minCount is 3"),
        ({"subject": with_option("minCount: {spec: {min: '${count}'}}")}, "'count'"),
        ({"subject": with_option("managedBy: 3")}, "job.managedBy is 3"),
        ({"subject": with_option("drivers: 3")}, "job.drivers is 3"),
        ({"subject": with_option("drivers: {runing: {run: [sh]}}")}, "did you mean 'running'"),
        ({"subject": with_option("drivers: {running: {}}")}, "expected either run or http"),
        ({"subject": with_option("drivers: {running: {run: [./none]}}")}, "'./none': No such file"),
        ({"subject": with_option("drivers: {running: {http: {url: x}}}")}, "expected an http address"),
        ({"subject": with_option("drivers: {running: {run: [sh, '${pods}']}}")}, "'pods'"),
        ({"subject": SUBJECT.replace("hold", "hold\n  suspnd: x")}, "field of job 'suspnd'"),
        ({"subject": SUBJECT.replace("stopped: {active: 0}, ", "")}, "job.status.stopped is None"),
        ({"subject": SUBJECT.replace("count: spec.workers.count", "cuont: x")}, "'cuont'"),
        (
            {
                "subject": SUBJECT.replace(
                    "[{template: spec.workers.template, count: spec.workers.count}]", "[]"
                )
            },
            "job.podSets is []",
        ),
        ({"subject": SUBJECT.replace("${parallelism}", "${pods}")}, "place ${…} in job.status 'pods'"),
        ({"job": JOB.replace("${queue}", "main")}, "has no place for its queue"),
        ({"job": JOB.replace("${parallelism}", "${pods}")}, "place ${…} in job.yaml 'pods'"),
        ({"job": f"{JOB}---\n{JOB}"}, "a manifest of one job, not of 2 objects"),
        (
            {"subject": f"{SUBJECT}controllerName: example.com/x\n"},
            "has job, of a job integration, and controllerName",
        ),
    ],
    ids=[
        "no path",
        "a capability that is unknown",
        "capabilities that are no list",
        "no status for a capability",
        "no field for a capability",
        "no least count",
        "a place in the least count",
        "a path that is none",
        "drivers that are no mapping",
        "a driver of no state",
        "a driver without a way",
        "a command that is not there",
        "a request to no address",
        "a place in a command",
        "a field that is unknown",
        "a state without a status",
        "a pod set with a field that is unknown",
        "no pod sets",
        "a place in a status",
        "no place for the queue",
        "a place in the manifest",
        "two jobs",
        "a check controller as well",
    ],
)
def test_what_is_wrong_is_told(declared, changes, problem):
    with pytest.raises(UsageError) as told:
        declared(**changes)

    assert problem in str(told.value)


def test_without_a_subject_the_integration_of_the_reference_is_judged():
    settings = read({"profile": "JOB-INTEGRATION"}, seed=1)

    assert (settings.subject.file, settings.subject.job_kind.kind) == (str(OWN_INTEGRATION), "Job")


def test_beside_other_profiles_it_is_judged_in_its_own_cases_alone():
    settings = read({"profile": "ADMISSION,JOB-INTEGRATION"}, seed=1)

    assert settings.subject is None
    assert settings.with_own_integration.subject.job_kind.kind == "Job"


@pytest.mark.parametrize(
    ("option", "word"), [("backend", "envtest"), ("control-plane", "scripted"), ("control-plane", "none")]
)
def test_beside_other_profiles_each_case_needs_a_reference_of_its_own(option, word):
    with pytest.raises(UsageError, match=f"--{option} {word} is one Kueue for all cases") as problem:
        read({"profile": "ADMISSION,JOB-INTEGRATION", option: word}, seed=1)

    assert "run it alone: --profile JOB-INTEGRATION" in str(problem.value)


def test_the_file_of_an_integration_chooses_its_profile(tmp_path, declared):
    declared()

    assert read({"subject-file": str(tmp_path / "subject.yaml")}, seed=1).profiles == ("JOB-INTEGRATION",)


def test_an_integration_is_no_check_controller(tmp_path, declared):
    declared()

    with pytest.raises(
        UsageError, match="names a job integration, but CHECK-CONTROLLER judges a check controller"
    ):
        read({"subject-file": str(tmp_path / "subject.yaml"), "profile": "CHECK-CONTROLLER"}, seed=1)


@pytest.mark.parametrize("state", ["running", "stopped", "succeeded", "failed"])
def test_a_batch_job_is_read_by_a_part_of_what_its_operator_writes(state):
    status = declare("", str(OWN_INTEGRATION), "").job_kind.status(
        state, parallelism=2, time="8:00", startTime="8:00"
    )

    assert BATCH_JOBS.is_in({"status": status}, state)


def test_the_fields_of_a_kind_are_those_of_batch_jobs_where_the_file_names_no_others():
    fields = declare("", str(OWN_INTEGRATION), "").job_kind.fields

    assert replace(fields, pod_sets=(*fields.pod_sets,), statuses=BATCH_JOBS.statuses) == BATCH_JOBS
