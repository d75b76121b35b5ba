"""docs/visibility.md: every command that it shows is run by the real kubectl, and prints what the page says (VIS-440, VIS-460, VIS-520)."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ..checkout import ROOT

PAGE = (ROOT / "docs/visibility.md").read_text("utf-8")
BLOCK = re.compile(r"<!-- (?P<label>[\w.-]+) -->\n```\w+\n(?P<text>.*?)```", re.DOTALL)
FILES = ("tokens.csv", "queues.yaml", "alice.yaml", "bob.yaml")
DRAWN = re.compile(
    r'\d{4}-\d\d-\d\dT[\d:]+Z|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<=-)[0-9a-f]{5}(?=[" ])'
)
"""Times, uids and the ends of generated names, which differ from run to run."""
MARK = "--- printed by command"
SECONDS = 110


def blocks(label):
    return [one["text"] for one in BLOCK.finditer(PAGE) if one["label"] == label]


def walk():
    """Return the commands of the page in order, each with the output that it shows."""
    lines = [line for text in blocks("walk") for line in text.splitlines()]
    starts = [at for at, line in enumerate(lines) if line.startswith("$ ")]
    return [
        (lines[at].removeprefix("$ "), lines[at + 1 : end])
        for at, end in zip(starts, [*starts[1:], len(lines)], strict=True)
    ]


def script():
    """Return the commands as one script that marks the output of each and ends what it started."""
    marked = (f"echo '{MARK}'\n{command}" for command, _ in walk())
    return "\n".join(["exec 2>&1", "trap 'kill $(jobs -p)' EXIT", *marked])


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """What each command printed."""
    if shutil.which("kubectl") is None:
        pytest.skip("kubectl is not on PATH: install it to run the commands of docs/visibility.md")
    folder = tmp_path_factory.mktemp("walk")
    for name in FILES:
        (folder / name).write_text(blocks(name)[0], "utf-8")
    own = Path(sys.executable).parent
    env = {**os.environ, "PATH": f"{own}{os.pathsep}{os.environ['PATH']}", "HOME": str(folder)}
    command = ["bash", "-c", script()]
    done = subprocess.run(
        command, cwd=folder, env=env, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    outputs = done.stdout.split(f"{MARK}\n")[1:]
    return [DRAWN.sub("<drawn>", one).splitlines() for one in outputs]


@pytest.mark.slow
def test_every_command_of_the_page_prints_what_it_shows(printed):
    shown = [(command, [DRAWN.sub("<drawn>", line) for line in output]) for command, output in walk()]
    commands = [command for command, _ in shown]

    assert list(zip(commands, printed, strict=True)) == shown
