"""One run judges control planes and a job integration: each case has the subject of its profile."""

import yaml

from kueue_conformance.report.evidence import read

from ..command_line.processes import run

OF_CONTROL_PLANE, OF_INTEGRATION = "ADM-226", "JIN-030"
BOTH = (OF_CONTROL_PLANE, OF_INTEGRATION)
TOGETHER = "ADMISSION,JOB-INTEGRATION"


def test_control_plane_and_job_integration_are_judged_in_one_run(tmp_path):
    together = report_of(tmp_path / "together", *BOTH, "--profile", TOGETHER)
    alone = report_of(tmp_path / "alone", OF_INTEGRATION, "--profile", "JOB-INTEGRATION")

    assert outcomes(together) == {OF_CONTROL_PLANE: "passed", OF_INTEGRATION: "passed"}
    assert outcomes(alone) == {OF_INTEGRATION: "passed"}
    assert together["implementation"]["subject"] == "control plane reference"
    assert together["implementation"]["jobIntegration"] == alone["implementation"]["subject"]


def test_only_cases_of_job_integrations_have_a_subject(tmp_path):
    report_of(tmp_path, *BOTH, "--profile", TOGETHER, "--evidence", "all")

    assert "subject" not in writers(tmp_path, OF_CONTROL_PLANE)
    assert "subject" in writers(tmp_path, OF_INTEGRATION)


def report_of(folder, *words):
    process = run("run", *words, "-n", "0", "--seed", "1", "--report-dir", folder, cwd=folder.parent)
    assert process.code == 0, process.whole
    return yaml.safe_load((folder / "report.yaml").read_text())


def outcomes(report):
    return {scenario["id"]: scenario["outcome"] for scenario in report["scenarios"]}


def writers(folder, scenario):
    stories = map(read, folder.glob(f"evidence/{scenario}-*.ndjson"))
    return {change.actor for story in stories for change in story.changes}
