"""Two reports side by side (harness/H-30, N-13)."""

from dataclasses import replace

import pytest
import yaml
from jsonschema import Draft202012Validator

from kueue_conformance.base.resources import schema
from kueue_conformance.report.afterwards.comparison import ComparedReport, compare, document
from kueue_conformance.report.evidence import Folder, write
from kueue_conformance.scenarios.outcome import Outcome

from .results import PASSED, case, report
from .stories import ADMITTED, CHANGES, KEPT, PENDING, READY, RESERVED, change

EVENT = {
    "type": "Normal",
    "reason": "Admitted",
    "involvedObject": {"kind": "Workload", "namespace": "ns", "name": "w"},
}


@pytest.fixture
def side(tmp_path):
    """Return a report with these results, told to be of a control plane, with evidence of its first case
    where that is given.
    """

    def side(name, *results, plane="scripted", evidence=None):
        folder = tmp_path / name
        folder.mkdir()
        if evidence is not None:
            results = (
                replace(results[0], evidence=Folder(folder).write("story.ndjson", write(evidence))),
                *results[1:],
            )
        document = report(results).to_dict()
        document["environment"]["controlPlane"] = plane
        (folder / "report.yaml").write_text(yaml.safe_dump(document))
        return ComparedReport.of(str(folder / "report.yaml"))

    return side


def differences(a, b):
    return [
        (difference.scenario, difference.aspect, difference.a, difference.b) for difference in compare(a, b)
    ]


def failing(clause="b", scenario="ADM-200"):
    return case(scenario, outcome=Outcome.FAILED, code="assertion", text=f"{scenario}.{clause}  no")


def test_equal_reports_do_not_differ(side):
    assert differences(side("a", *PASSED), side("b", *PASSED)) == []


@pytest.mark.parametrize(
    ("left_results", "right_results", "expected"),
    [
        pytest.param(
            [case()], [failing()], [("ADM-200", "outcome", "passed", "failed ADM-200.b")], id="outcome"
        ),
        pytest.param(
            [failing("a")],
            [failing("b")],
            [("ADM-200", "fingerprint", "ADM-200.a", "ADM-200.b")],
            id="clause",
        ),
        pytest.param(
            [case(observed_behaviours={"a": "kept out"})],
            [case(observed_behaviours={"a": "let in"})],
            [("ADM-200", "permitted behaviour", {"a": "kept out"}, {"a": "let in"})],
            id="permitted behaviour",
        ),
        pytest.param(
            [case(observed_behaviours={"a": "kept out"})],
            [case(outcome=Outcome.UNSUPPORTED)],
            [("ADM-200", "outcome", "passed", "unsupported")],
            id="what cannot run shows no behaviour",
        ),
        pytest.param(
            [case(), case("ADM-204")],
            [case()],
            [("ADM-204", "presence", "passed", "not run")],
            id="a case less",
        ),
    ],
)
def test_a_difference(side, left_results, right_results, expected):
    assert differences(side("a", *left_results), side("b", *right_results)) == expected


@pytest.mark.parametrize(
    ("planes", "outcomes", "blame"),
    [
        pytest.param(
            ("scripted", "reference"),
            ("failed", "passed"),
            "the subject: beside the control plane scripted no other controller acts",
            id="subject",
        ),
        pytest.param(
            ("scripted", "reference"),
            ("passed", "failed"),
            "the control plane reference, or the subject together with it",
            id="plane",
        ),
        pytest.param(
            ("upstream", "reference"),
            ("passed", "failed"),
            "the control planes differ: upstream and reference",
            id="planes",
        ),
        pytest.param(("scripted", "scripted"), ("passed", "failed"), "", id="one plane"),
        pytest.param(("scripted", "reference"), ("passed", "error"), "", id="an error is no failure"),
    ],
)
def test_who_is_to_blame(side, planes, outcomes, blame):
    a, b = (
        side(plane + name, case(outcome=Outcome(outcome)), plane=plane)
        for plane, outcome, name in zip(planes, outcomes, "ab", strict=True)
    )

    assert compare(a, b)[0].blame == blame


def with_changes(*changes):
    return replace(KEPT, changes=tuple(changes))


def with_owner(workload, name="job"):
    """Return a Workload that belongs to a Job."""
    owner = {"kind": "Job", "name": name, "uid": name, "controller": True}
    return {**workload, "metadata": {**workload["metadata"], "ownerReferences": [owner]}}


def job(name="job"):
    return {"kind": "Job", "metadata": {"name": name, "namespace": "ns", "uid": name}}


OF_JOB = (
    change(2, "user", None, job(), kind="Job", name="job", verb="create"),
    change(3, "kueue", None, with_owner(PENDING), verb="create"),
)
JOB_GOES = change(5, "user", job(), None, kind="Job", name="job", verb="delete")
EARLY, LATE = CHANGES[:4], (change(5, "kueue", PENDING, RESERVED),)


@pytest.mark.parametrize(
    ("left_results", "right_results", "expected"),
    [
        pytest.param(
            CHANGES,
            tuple(
                replace(story_change, revision=story_change.revision + 90, at=story_change.at + 7)
                for story_change in CHANGES
            ),
            [],
            id="another time",
        ),
        pytest.param(
            (*EARLY, *LATE, change(6, "kueue", RESERVED, ADMITTED)),
            (*EARLY, *LATE),
            [("ADM-200", "conditions of Workload 1 Admitted", ["True (Admitted)"], None)],
            id="a condition more",
        ),
        pytest.param(
            CHANGES[:3],
            CHANGES[:4],
            [("ADM-200", "conditions of Workload 1 AdmissionCheck 1", ["Pending"], ["Pending", "Ready"])],
            id="a verdict more",
        ),
        pytest.param(
            CHANGES,
            (*CHANGES, change(9, "kueue", None, EVENT, kind="Event", name="e")),
            [("ADM-200", "events of Workload 1 Normal Admitted", None, 1)],
            id="an Event more",
        ),
        pytest.param(
            CHANGES,
            (*CHANGES, change(9, "kubelet", None, EVENT, kind="Event", name="e")),
            [],
            id="an Event of the kubelet",
        ),
        pytest.param(
            CHANGES,
            (*CHANGES, change(9, "kube-controller-manager", None, RESERVED, kind="Job")),
            [],
            id="a condition of a Job",
        ),
        pytest.param(
            (*OF_JOB, JOB_GOES, change(6, "kueue", with_owner(PENDING), with_owner(READY))),
            (*OF_JOB, JOB_GOES),
            [],
            id="after its Job is gone",
        ),
        pytest.param(
            (*OF_JOB, change(4, "kueue", with_owner(PENDING), with_owner(READY)), JOB_GOES),
            (*OF_JOB, JOB_GOES),
            [
                (
                    "ADM-200",
                    "conditions of Workload 1 of Job 1 AdmissionCheck 1",
                    ["Pending", "Ready"],
                    ["Pending"],
                )
            ],
            id="before its Job is gone",
        ),
    ],
)
def test_stories_that_differ(side, left_results, right_results, expected):
    assert (
        differences(
            side("a", case(), evidence=with_changes(*left_results)),
            side("b", case(), evidence=with_changes(*right_results)),
        )
        == expected
    )


def test_what_belongs_to_two_jobs_may_come_in_any_order(side):
    jobs = [
        change(n, "user", None, job(name), kind="Job", name=name, verb="create")
        for n, name in ((1, "one"), (2, "two"))
    ]
    states = {"one": with_owner(READY, "one"), "two": with_owner(PENDING, "two")}
    created_workloads = [
        change(3, "kueue", None, states[name], name=f"job-{name}", verb="create") for name in states
    ]

    a, b = (with_changes(*jobs, *workloads) for workloads in (created_workloads, created_workloads[::-1]))

    assert differences(side("a", case(), evidence=a), side("b", case(), evidence=b)) == []


def test_names_do_not_matter(side):
    changes_of_other = tuple(
        replace(story_change, name="other") if story_change.kind == "Workload" else story_change
        for story_change in CHANGES
    )

    assert (
        differences(
            side("a", case(), evidence=KEPT), side("b", case(), evidence=with_changes(*changes_of_other))
        )
        == []
    )


def test_reports_of_one_dialect_each_are_compared_case_by_case(side):
    a, b = side("a", case()), side("b", case(test="test_x[v0.6]", dialect="v0.6", outcome=Outcome.FAILED))
    b.report["environment"]["dialects"] = ["v0.6"]

    assert differences(a, b) == [("ADM-200", "outcome", "passed", "failed")]


def test_the_document_keeps_to_its_schema(side):
    a, b = side("a", *PASSED), side("b", failing(), plane="reference")

    assert list(Draft202012Validator(schema("difference")).iter_errors(document(a, b, compare(a, b)))) == []
