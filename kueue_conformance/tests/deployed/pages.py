"""Pages that show commands: their files, their commands with
the output that they show, and what the commands print.
"""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from ..checkout import ROOT

BLOCK = re.compile(r"<!-- (?P<label>[\w.-]+) -->\n```\w+\n(?P<text>.*?)```", re.DOTALL)
MARK = "--- printed by command"
SECONDS = 110


@dataclass(frozen=True)
class Page:
    """A page of docs/ with files to be written and a walk of commands;
    `drawn` matches what differs from run to run.
    """

    name: str
    files: tuple[str, ...]
    drawn: re.Pattern[str]
    label: str = "walk"
    """Of the blocks whose commands are run one after another."""

    def blocks(self, label):
        """Return the texts of the blocks with a label."""
        text = (ROOT / "docs" / self.name).read_text("utf-8")
        return [match["text"] for match in BLOCK.finditer(text) if match["label"] == label]

    def walk(self):
        """Return the commands of the page in order, each with the output that it shows."""
        lines = [line for text in self.blocks(self.label) for line in text.splitlines()]
        starts = [at for at, line in enumerate(lines) if line.startswith("$ ")]
        return [
            (lines[at].removeprefix("$ "), self._mask(lines[at + 1 : end]))
            for at, end in zip(starts, [*starts[1:], len(lines)], strict=True)
        ]

    def print_blocks(self, folder):
        """Run the commands in a folder and return what each printed."""
        if shutil.which("kubectl") is None:
            pytest.skip(f"kubectl is not on PATH: install it to run the commands of docs/{self.name}")
        for name in self.files:
            (folder / name).write_text(self.blocks(name)[0], "utf-8")
        own = Path(sys.executable).parent
        env = {**os.environ, "PATH": f"{own}{os.pathsep}{os.environ['PATH']}", "HOME": str(folder)}
        done = subprocess.run(
            ["bash", "-c", self._script()],
            cwd=folder,
            env=env,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        return [self._mask(output.splitlines()) for output in done.stdout.split(f"{MARK}\n")[1:-1]]

    def _script(self):
        """Return the commands as one script that marks the output of each, and ends what it started after a
        last mark: what that prints is no command's.
        """
        marked = (f"echo '{MARK}'\n{command}" for command, _ in self.walk())
        return "\n".join(["exec 2>&1", "trap 'jobs -p | xargs -r kill' EXIT", *marked, f"echo '{MARK}'"])

    def _mask(self, lines):
        return [self.drawn.sub("<drawn>", line) for line in lines]
