"""The example of a job integration, and the page about it: every command ends as the page says."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kueue_conformance.tests.checkout import ROOT

pytestmark = [pytest.mark.acceptance, pytest.mark.timeout(1800)]
EXAMPLE = ROOT / "examples/job_integrations/python"
PAGE = (ROOT / "docs/test-your-job-integration.md").read_text("utf-8")
TRY = re.compile(r"<!-- try -->\n```console\n(.*?)```", re.DOTALL)
LINE = re.compile(r"^\$ (?P<command>.*?)(?:\s+# ends with (?P<code>\d))?$", re.MULTILINE)


def commands():
    return [
        (match["command"], int(match["code"] or 0))
        for block in TRY.findall(PAGE)
        for match in LINE.finditer(block)
    ]


@pytest.fixture
def folder(tmp_path):
    return shutil.copytree(EXAMPLE, tmp_path / "integration")


def test_example_passes_the_profile(folder):
    command = [sys.executable, "-m", "kueue_conformance", "run", "--subject-file", "subject.yaml", "-n", "2"]
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)

    assert ended.returncode == 0, ended.stdout + ended.stderr


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
