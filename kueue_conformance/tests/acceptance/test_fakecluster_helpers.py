"""The helpers of docs/laboratory/languages.md, by the commands of the page: Go, Node and Java."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kueue_conformance.tests.checkout import ROOT

pytestmark = [pytest.mark.acceptance, pytest.mark.timeout(900)]
PAGE = (ROOT / "docs/laboratory/languages.md").read_text("utf-8")
BLOCK = re.search(r"<!-- helpers -->\n```console\n(.*?)```", PAGE, re.DOTALL)
COMMANDS = dict(re.findall(r"^\$ cd (\S+) && (.*)$", BLOCK[1], re.MULTILINE))
MOST_LINES = 150
HELPERS = [ROOT / "docs/laboratory" / path for path in re.findall(r"\]\((\.\./\.\./examples/[^)]+)\)", PAGE)]


@pytest.mark.parametrize(("folder", "command"), COMMANDS.items(), ids=[Path(name).name for name in COMMANDS])
def test_a_helper_starts_a_cluster_with_time_and_faults(folder, command, tmp_path):
    program = command.split()[0]
    if shutil.which(program) is None:
        pytest.skip(f"unsupported: needs {program}, not on this machine")
    copy = shutil.copytree(ROOT / folder, tmp_path / "copy", ignore=shutil.ignore_patterns("target"))
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"

    done = subprocess.run(
        command.split(),
        cwd=copy,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr


def test_helpers_are_short_enough_to_copy():
    lines = {path.name: len(path.read_text("utf-8").splitlines()) for path in HELPERS}

    assert len(lines) == len(COMMANDS)
    assert {name: count for name, count in lines.items() if count > MOST_LINES} == {}
