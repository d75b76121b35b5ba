"""Judges a controller as its author would: `kueue-conformance run` with its subject file."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import yaml

from .catalogue import FOLDER, Catalogue, Mistake


class Verdict(msgspec.Struct, frozen=True):
    """What a run says: its exit code, the level of each scenario that failed, and the first cause shown."""

    exit_code: int
    failed: dict[str, str]
    first_cause: str
    text: str

    @property
    def has_passed(self) -> bool:
        """Whether the run ended with success: no must is broken, and everything was judged."""
        return self.exit_code == 0


def build(language: str, catalogue: Catalogue) -> None:
    """Build the program of a language in its folder, where it needs a build."""
    if catalogue.build:
        subprocess.run(catalogue.build, cwd=FOLDER / language, check=True)


def judge_design(language: str, name: str, subject: str, report: Path, words: Sequence[str] = ()) -> Verdict:
    """Judge a right controller by the whole profile."""
    return _run(language, subject, {"DESIGN": name, "MISTAKE": ""}, report, words)


def judge_mistake(
    language: str, name: str, catalogue: Catalogue, report: Path, words: Sequence[str]
) -> Verdict:
    """Judge a wrong controller by the scenarios of `words`, by the whole profile where there are none."""
    mistake = catalogue.wrong[name]
    environment = {"DESIGN": mistake.design or next(iter(catalogue.right)), "MISTAKE": name}
    return _run(language, catalogue.subject_of(mistake), environment, report, words)


def is_caught(mistake: Mistake, verdict: Verdict) -> bool:
    """Tell whether the scenario named for a mistake failed, at its level."""
    return verdict.failed.get(mistake.scenario) == mistake.level


def _run(
    language: str, subject: str, environment: dict[str, str], report: Path, words: Sequence[str]
) -> Verdict:
    path = FOLDER / language / subject
    command = [sys.executable, "-m", "kueue_conformance", "run", "--subject-file", str(path)]
    command += ["--report-dir", str(report), *words]
    ended = subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    document = report / "report.yaml"
    scenarios = yaml.safe_load(document.read_text("utf-8"))["scenarios"] if document.exists() else []
    failed = {
        scenario["id"]: scenario["level"]
        for scenario in scenarios
        if scenario["outcome"] not in ("passed", "unsupported")
    }
    first_cause = next(_causes(ended.stdout), "")
    return Verdict(ended.returncode, failed, first_cause, ended.stdout + ended.stderr)


def _causes(output: str) -> Iterator[str]:
    """Yield the headlines of the cards, which name scenario, title and level."""
    lines = output.splitlines()
    for number, line in enumerate(lines[1:], start=1):
        if line.startswith("  rule") and not lines[number - 1].startswith(" "):
            yield lines[number - 1]
