"""A controller that answers certain Workloads only is judged by such Workloads: the subject file has a
template of them, and what needs others is unsupported (TP-03, TP-06, TP-07, TP-11).
"""

from pathlib import Path

import pytest

from kueue_conformance.stage.making import templated_workloads
from kueue_conformance.stage.making.templated_workloads import Submission
from kueue_conformance.subject.workload_problems import problems
from kueue_conformance.subject.workload_template import workload_template

from .judged_subject import judge_subject

HERE = Path(__file__).parent
IN_PROCESS = "python:kueue_conformance.tests.drivers.choosy:{}.serve"
PROCESS = f"process:python {HERE / 'choosy_controllers.py'} {{}}"
GOLD = {"owner": {"kind": "Job"}, "metadata": {"labels": {"acme.io/tier": "gold"}}}
TPU = {"name": "main", "image": "train", "resources": {"requests": {"google.com/tpu": "4"}}}
SLICES = {
    "spec": {
        "podSets": [
            {
                "name": "workers",
                "count": 4,
                "topologyRequest": {"required": "acme.io/rack"},
                "template": {"spec": {"containers": [TPU]}},
            }
        ]
    }
}
RUNS = {"owner": {"manifest": "run.yaml"}}
IN_EACH_RUN = {"of a kind of its own"}
"""The others take half a minute each."""
CONTROLLERS = {
    "of a Job, with a label": ("Choosy", "right", GOLD),
    "of a kind of its own": ("OfRuns", "of-runs", RUNS),
    "with accelerators and a topology": ("OfSlices", "of-slices", SLICES),
}
CASES = [
    pytest.param(*values, id=name, marks=() if name in IN_EACH_RUN else pytest.mark.exhaustive)
    for name, values in CONTROLLERS.items()
]
CONFIG_MAPS = {"apiVersion": "v1", "kind": "ConfigMap", "by": "owner"}
SAMPLE = ["CHK-014", "CHK-022", "CHK-031", "CHK-060", "CHK-083", "CHK-141"]
NEEDS_OTHERS = {"CHK-072": "pods without requests", "CHK-096": "pod sets of its own"}


def judge(folder, connect, workload, *scenarios, command="run"):
    """Run a command with a subject file; return the ended run, and its outcomes by scenario."""
    subject = {
        "apiVersion": "kueue-conformance.dev/v1",
        "kind": "Subject",
        "connect": connect,
        "controllerName": "example.com/budget",
        **({} if workload is None else {"workload": workload}),
        "setup": {"apply": ["training-runs.yaml"]},
        # The controller of the zoo holds something outside; the program, as the example, does not.
        **({"effects": CONFIG_MAPS} if connect.startswith("python:") else {}),
    }
    for name in ("run.yaml", "training-runs.yaml"):
        (folder / name).write_bytes((HERE / name).read_bytes())
    return judge_subject(folder, subject, *scenarios, command=command)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("controller", "_", "workload"), CASES)
def test_a_right_one_passes_the_profile(tmp_path, controller, _, workload):
    ended, outcomes = judge(tmp_path, IN_PROCESS.format(controller), workload)

    assert {*outcomes.values()} <= {"passed", "unsupported"}, ended.stdout
    assert ended.returncode == 0
    assert [
        f"workload.spec.podSets: the scenario has {need}" in ended.stdout for need in NEEDS_OTHERS.values()
    ] == [workload is SLICES] * 2


@pytest.mark.slow
@pytest.mark.parametrize(("_", "program", "workload"), CASES)
def test_a_right_program_passes(tmp_path, _, program, workload):
    ended, outcomes = judge(tmp_path, PROCESS.format(program), workload, *SAMPLE)

    assert {*outcomes.values()} <= {"passed", "unsupported"}, ended.stdout
    assert (outcomes["CHK-014"], ended.returncode) == ("passed", 0)


@pytest.mark.slow
@pytest.mark.parametrize("connect", [IN_PROCESS.format("Hasty"), PROCESS.format("hasty")])
def test_a_wrong_one_is_caught(tmp_path, connect):
    ended, outcomes = judge(tmp_path, connect, GOLD, "CHK-014")

    assert outcomes == {"CHK-014": "failed"}, ended.stdout


@pytest.mark.slow
def test_without_its_workloads_it_answers_nothing(tmp_path):
    ended, outcomes = judge(tmp_path, IN_PROCESS.format("Choosy"), {"metadata": {}}, "CHK-022")

    assert outcomes == {"CHK-022": "failed"}, ended.stdout
    assert "needs `workload` in it" not in ended.stdout, "the field is there"


@pytest.mark.slow
def test_without_a_template_smoke_asks_for_it(tmp_path):
    ended, _ = judge(tmp_path, PROCESS.format("right"), None, command="smoke")

    assert ended.returncode == 7
    assert ended.stderr.count("needs `workload` in it") == 1, ended.stderr


REFUSED = {
    "an unknown field of a pod set": (
        {"spec": {"podSets": [{"counts": 3}]}},
        'unknown field "spec.podSets[0].counts"',
    ),
    "a name that is none": ({"spec": {"podSets": [{"name": "A_b"}]}}, "spec.podSets[0].name"),
    "two pod sets of a name": ({"spec": {"podSets": [{"name": "a"}, {"name": "a"}]}}, "spec.podSets[1]"),
    "a priority that is a text": ({"spec": {"priority": "high"}}, "spec.priority"),
    "a label that is none": ({"metadata": {"labels": {"a b": "c"}}}, "metadata.labels"),
    "an amount that is none": (
        {
            "spec": {
                "podSets": [
                    {"template": {"spec": {"containers": [{**TPU, "resources": {"requests": {"cpu": "x"}}}]}}}
                ]
            }
        },
        "requests.cpu",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize(("workload", "text"), REFUSED.values(), ids=REFUSED)
def test_what_the_server_refuses_is_told_before_anything_is_judged(tmp_path, workload, text):
    ended, outcomes = judge(tmp_path, IN_PROCESS.format("Choosy"), workload, "CHK-001", "CHK-022")

    said = ended.stdout + ended.stderr
    assert ended.returncode == 4
    assert f"{tmp_path / 'subject.yaml'}:" in said
    assert "workload: the API server does not take what is made of it" in said
    assert text in said, said
    assert "passed" not in outcomes.values()


WRONG = {
    "an unknown field": ({"labels": {}}, "unknown field of workload 'labels'"),
    "a name": ({"metadata": {"name": "x"}}, "unknown field of workload.metadata 'name'"),
    "labels that are no texts": ({"metadata": {"labels": {"a": 1}}}, "workload.metadata.labels is {'a': 1}"),
    "a queue": ({"spec": {"queueName": "q"}}, "workload.spec.queueName is 'q', and the scenarios decide"),
    "activity": ({"spec": {"active": False}}, "workload.spec.active is False, and the scenarios decide"),
    "no pod set": ({"spec": {"podSets": []}}, "workload.spec.podSets is [], expected a list of pod sets"),
    "a template that is a text": ({"spec": {"podSets": [{"template": "x"}]}}, "podSets[0].template is 'x'"),
    "a pod's spec that is a text": (
        {"spec": {"podSets": [{"template": {"spec": "x"}}]}},
        "template.spec is 'x'",
    ),
    "two pod sets that can shrink": (
        {"spec": {"podSets": [{"name": "a", "minCount": 1}, {"name": "b", "minCount": 1}]}},
        "minCount in 2 pod sets, expected at most one",
    ),
    "a request of pods": (
        {
            "spec": {
                "podSets": [
                    {"template": {"spec": {"containers": [{"resources": {"requests": {"pods": 1}}}]}}}
                ]
            }
        },
        "requests.pods is a resource that Kueue counts itself",
    ),
    "the key of the scenarios": (
        {"spec": {"podSets": [{"template": {"metadata": {"labels": {"example.com/team": "a"}}}}]}},
        "metadata.labels has example.com/team",
    ),
    "a topology that is a list": ({"topology": ["a"]}, "workload.topology is ['a']"),
    "an owner that is a text": ({"owner": "Job"}, "workload.owner is 'Job', expected a mapping"),
    "a kind without a manifest": (
        {"owner": {"kind": "RayJob"}},
        "workload.owner.kind is 'RayJob', expected Job",
    ),
    "an owner in a queue": (
        {"owner": {"kind": "Job", "metadata": {"labels": {"kueue.x-k8s.io/queue-name": "q"}}}},
        "workload.owner.metadata.labels has kueue.x-k8s.io/queue-name 'q'",
    ),
    "a manifest that is not there": ({"owner": {"manifest": "absent.yaml"}}, "absent.yaml"),
    "a manifest without a place": ({"owner": {"manifest": "verdict.yaml"}}, "expected ${name} in it"),
}


@pytest.mark.parametrize(("workload", "text"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_told_with_its_value(workload, text):
    told = [*problems(workload, HERE)]

    assert text in " ".join(map(str, told))
    assert all(problem.path.startswith("workload") for problem in told if problem.path)


def submission(**fields):
    plain = {
        "form": "workload",
        "name": "w",
        "namespace": "ns",
        "queue": "q",
        "requests": {"cpu": "1"},
        "count": 1,
        "pods": {},
        "annotations": {},
        "spec": {},
    }
    return Submission(**{**plain, **fields})


CONTRADICTIONS = {
    "nothing": (GOLD, {}, ""),
    "a Job": (GOLD, {"form": "job"}, "workload: the scenario submits a Job"),
    "pod sets": (
        SLICES,
        {"spec": {"podSets": []}},
        "workload.spec.podSets: the scenario has pod sets of its own",
    ),
    "pod sets that the template leaves open": (GOLD, {"spec": {"podSets": []}}, ""),
    "pods without requests": (
        SLICES,
        {"requests": {}},
        "workload.spec.podSets: the scenario has pods without",
    ),
    "another priority": (
        {"spec": {"priority": 3}},
        {"spec": {"priority": 4}},
        "workload.spec.priority: the scenario has another one",
    ),
    "the same priority": ({"spec": {"priority": 3}}, {"spec": {"priority": 3}}, ""),
}


@pytest.mark.parametrize(("workload", "fields", "reason"), CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_a_scenario_that_needs_others_says_why(workload, fields, reason):
    template = workload_template(workload, HERE)

    said = templated_workloads.contradiction(template, submission(**fields))

    assert said.startswith(reason)
    assert bool(said) == bool(reason)


def test_a_workload_has_what_the_scenario_and_the_template_ask_for():
    template = workload_template({**SLICES, **GOLD, "topology": {"acme.io/rack": "rack-7"}}, HERE)
    pods = {"nodeSelector": {"a": "b"}, "metadata": {"labels": {"c": "d"}}}

    made = templated_workloads.workload(template, submission(pods=pods, annotations={"e": "f"}))

    (pod_set,) = made["spec"]["podSets"]
    container = pod_set["template"]["spec"]["containers"][0]
    assert made["metadata"]["labels"] == {"acme.io/tier": "gold"}
    assert made["metadata"]["annotations"] == {"e": "f"}
    assert (pod_set["name"], pod_set["count"]) == ("workers", 4)
    assert container["resources"]["requests"] == {"cpu": "1", "google.com/tpu": "4"}
    assert pod_set["template"]["spec"]["nodeSelector"] == {"a": "b"}
    assert pod_set["template"]["metadata"]["labels"] == {"c": "d"}
    assert templated_workloads.topology_of(template, pod_set) == {"acme.io/rack": "rack-7"}
    assert templated_workloads.quotas(template, "10") == {"cpu": "10", "google.com/tpu": "1M"}
