"""The examples of job integrations, each in its language, and the page about them: a team comes to a report,
and every command ends as the page says.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from kueue_conformance.cli.new_integration import EXAMPLES
from kueue_conformance.tests.checkout import ROOT

from .test_examples import TOOLCHAINS, lacks, run, workflow_builds

pytestmark = [pytest.mark.acceptance, pytest.mark.timeout(1800)]
EXAMPLE = ROOT / "examples/job_integrations/python"
PAGE = (ROOT / "docs/test-your-job-integration.md").read_text("utf-8")
TRY = re.compile(r"<!-- try -->\n```console\n(.*?)```", re.DOTALL)
LINE = re.compile(r"^\$ (?P<command>.*?)(?:\s+# ends with (?P<code>\d))?$", re.MULTILINE)
SUITE = (sys.executable, "-m", "kueue_conformance")


def commands():
    return [
        (match["command"], int(match["code"] or 0))
        for block in TRY.findall(PAGE)
        for match in LINE.finditer(block)
    ]


@pytest.fixture
def folder(tmp_path):
    return shutil.copytree(EXAMPLE, tmp_path / "integration")


@pytest.mark.parametrize("language", EXAMPLES)
def test_a_team_comes_to_a_report_in(language, tmp_path):
    """`init --integration --language`, the build that its workflow names, smoke and run: what it wrote is not
    changed.
    """
    if reason := lacks(TOOLCHAINS[language].programs):
        pytest.skip(reason)
    project, report = tmp_path / "demo", tmp_path / "report"
    options = ("--integration", "--language", language, "--package", "kueue-conformance")
    run([*SUITE, "init", "demo", *options], tmp_path)
    for step in workflow_builds(project):
        run(["bash", "-c", step], project)

    run([*SUITE, "smoke", "--subject-file", "demo/subject.yaml"], tmp_path)
    run(
        [*SUITE, "run", "--subject-file", "demo/subject.yaml", "-n", "2", "--report-dir", str(report)],
        tmp_path,
    )

    declared = yaml.safe_load((project / "subject.yaml").read_text("utf-8"))["job"].get("capabilities", [])
    scenarios = yaml.safe_load((report / "report.yaml").read_text("utf-8"))["scenarios"]
    missing = {scenario["code"] for scenario in scenarios if scenario["outcome"] == "unsupported"}
    assert missing.isdisjoint(f"job.capabilities: {name}" for name in declared)
    assert all(code.startswith("job.capabilities: ") for code in missing)


def test_commands_of_the_page_end_as_it_says(folder):
    own = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{own}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1"}
    codes = [
        subprocess.run(
            command, shell=True, cwd=folder, env=environment, capture_output=True, check=False
        ).returncode
        for command, _ in commands()
    ]

    assert codes == [code for _, code in commands()]
    assert len(codes) >= 6


def test_page_shows_the_subject_file():
    shown = re.search(r"<!-- subject -->\n```yaml\n(.*?)```", PAGE, re.DOTALL)

    assert shown is not None
    assert shown[1] == (EXAMPLE / "subject.yaml").read_text("utf-8")
