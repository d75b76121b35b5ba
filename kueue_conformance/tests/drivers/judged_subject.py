"""Judges a check controller by a subject file that a test has composed, in a process of its own."""

import os
import subprocess
import sys

import yaml

from ..checkout import ROOT


def judge_subject(folder, subject, *scenarios, command="run"):
    """Run a command with a subject file; return the ended run, and its outcomes by scenario."""
    file = folder / "subject.yaml"
    file.write_text(yaml.safe_dump(subject))
    options = [] if command == "smoke" else ["-n0", "--seed", "3", "--report-dir", folder]
    ended = subprocess.run(
        [sys.executable, "-m", "kueue_conformance", command, *scenarios, "--subject-file", file, *options],
        env={**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'examples/check_controllers/python'}"},
        capture_output=True,
        text=True,
        check=False,
    )
    report = folder / "report.yaml"
    outcomes = yaml.safe_load(report.read_text())["scenarios"] if report.exists() else ()
    return ended, {scenario["id"]: scenario["outcome"] for scenario in outcomes}
