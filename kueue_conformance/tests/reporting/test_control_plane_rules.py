"""Safety rules of the control plane in a report: which rules it lists, that it fits its schema, and that
evidence is judged again (N-02, N-15).
"""

import pytest

from kueue_conformance.base.job_fields import JobFields
from kueue_conformance.history.story import SUBJECT, Change
from kueue_conformance.report.afterwards import check
from kueue_conformance.report.afterwards.rejudged_report import rejudge
from kueue_conformance.report.evidence import Evidence, Folder, write
from kueue_conformance.rules import CHECK_CONTROLLER, CONTROL_PLANE, JOB_INTEGRATION, OWN_JOBS
from kueue_conformance.scenarios.outcome import Outcome
from kueue_conformance.tests.data_and_words.control_plane_stories import change, refusal, workload

from .results import case, report

BROKEN = (
    {
        "rule": "AC-113",
        "text": "Workload work: QuotaReserved, and there is no admission",
    },
)
TWICE = "status.admissionChecks[1]: Duplicate value: {}"


@pytest.mark.parametrize(
    ("scenario", "rules"),
    [
        pytest.param("ADM-201", CONTROL_PLANE, id="Kueue"),
        pytest.param("KRC-110", (*CONTROL_PLANE, *OWN_JOBS), id="Kueue with its own integration"),
        pytest.param("CHK-010", CHECK_CONTROLLER, id="controller"),
        pytest.param("JIN-010", JOB_INTEGRATION, id="integration"),
    ],
)
def test_a_report_lists_the_rules_by_which_it_was_judged(scenario, rules):
    document = report([case(scenario, judged=True)]).to_dict()

    assert [rule_row["id"] for rule_row in document["safetyRules"]] == sorted(
        rule_row.id for rule_row in rules
    )


def test_a_report_with_a_broken_rule_fits_its_schema():
    document = report(
        [
            case(
                "ADM-201",
                judged=True,
                outcome=Outcome.FAILED,
                code="AC-113",
                text="AC-113  x",
                violations=BROKEN,
            )
        ]
    ).to_dict()

    assert [*check.problems(document)] == []


def broken_rules(tmp_path, changes=(), refused=(), scenario="ADM-201", **fields):
    about = {"scenario": scenario, "test": "test_x[v0.19]", "dialect": "v0.19", "controller": "", **fields}
    name = Folder(tmp_path).write(
        f"{scenario}.ndjson",
        write(Evidence(about=about, changes=changes, requests=refused, attempts=refused)),
    )
    document = report([case(scenario, judged=True, evidence=name)]).to_dict()
    return {
        rule_row["id"]
        for rule_row in rejudge(document, tmp_path).report["safetyRules"]
        if rule_row["violations"]
    }


JUDGED = {"settled": [], "kinds": ["Workload", "ClusterQueue", "LocalQueue"]}


def test_a_story_of_kueue_is_judged_again(tmp_path):
    assert broken_rules(tmp_path, [change(workload(), workload("QuotaReserved"))], **JUDGED) == {"AC-113"}


def test_what_kueue_was_refused_is_judged_again(tmp_path):
    assert broken_rules(tmp_path, refused=[refusal(TWICE)], **JUDGED) == {"AC-116"}


def test_a_story_of_an_integration_is_judged_again(tmp_path):
    begin, run = ({"metadata": {"name": "a"}, "spec": {"suspend": suspend}} for suspend in (True, False))
    started = Change(
        revision=1,
        at=0.0,
        actor=SUBJECT,
        verb="patch",
        kind="Job",
        namespace="ns",
        name="a",
        before=begin,
        after=run,
    )
    statuses = {state: {"phase": state} for state in ("running", "stopped", "succeeded", "failed")}
    job = JobFields(kind="Job", suspend=("spec", "suspend"), pod_sets=(), statuses=statuses).to_dict()

    assert broken_rules(tmp_path, [started], scenario="JIN-010", job=job, **JUDGED) == {"JI-009", "JI-010"}


def test_a_story_in_which_nobody_was_judged_is_not(tmp_path):
    assert broken_rules(tmp_path, [change(workload(), workload("QuotaReserved"))]) == set()
