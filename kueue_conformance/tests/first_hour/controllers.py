"""Check controllers as newcomers write them: the example with one mistake, started as a program."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import yaml

EXAMPLE = Path(__file__).parents[3] / "examples/check_controllers/python"
NAME = "example.com/budget"
EARLY = """
from controller import CheckController, is_true, main

class Early(CheckController):
    def may_act(self, workload):
        print(f"\\x1b[31mjudging\\x1b[0m {workload['metadata']['name']} \\x07```", flush=True)
        over = is_true(workload, "Evicted") or is_true(workload, "Finished")
        return "status" in workload and not over

main(Early)
"""
"""Answers before there is quota, and prints in colours."""


@dataclass(frozen=True, slots=True)
class Ran:
    """A run that has ended, and the folder of its report."""

    code: int
    out: str
    err: str
    folder: Path

    def text(self, name):
        return (self.folder / name).read_text("utf-8")

    @property
    def report(self):
        return yaml.safe_load(self.text("report.yaml"))


def command(folder, program, *words):
    """Return the command that judges a program, and its environment."""
    (folder / "subject.py").write_text(program)
    path = os.pathsep.join([str(EXAMPLE), *filter(None, [os.environ.get("PYTHONPATH", "")])])
    subject = ["--subject", f"process:{sys.executable} {folder / 'subject.py'}", "--controller-name", NAME]
    return [sys.executable, "-m", "kueue_conformance", "run", *words, *subject], {
        **os.environ,
        "PYTHONPATH": path,
        "COLUMNS": "160",
        "NO_COLOR": "1",
    }


def judge_program(folder, program, *words):
    """Judge a program in one process; the report is in `conformance-report` of the folder."""
    command_line, environment = command(folder, program, *words, "-n", "0")
    done = subprocess.run(
        command_line, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=115
    )
    return Ran(done.returncode, done.stdout, done.stderr, folder / "conformance-report")
