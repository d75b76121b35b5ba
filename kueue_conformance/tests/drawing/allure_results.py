"""Draws what `run --allure` writes, as Allure's page of behaviours orders it: document, profile, rule, case.

`python -m kueue_conformance.tests.drawing.allure_results` writes docs/allure.svg, of a run in which a wrong
check controller breaks a rule.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

from ..checkout import ROOT
from ..command_line.processes import environment

PICTURE = ROOT / "docs/allure.svg"
COMMAND = (
    "run",
    "CHK-001",
    "CHK-010",
    "CHK-014",
    "--subject=process:python kueue_conformance/tests/mutants/answers_before_reservation.py",
    "--controller-name=example.com/budget",
    "--seed=1",
    "--allure",
)
_ROW, _INDENT, _WIDTH = 24, 22, 760
_LEVELS = ("epic", "feature", "story")
_STYLE = """.allure { font: 13px system-ui, sans-serif; } .allure text { fill: #1b1f24; } .allure .group { font-weight: 600; }
.allure .passed { fill: #2da44e; } .allure .failed { fill: #cf222e; } .allure .broken { fill: #bf8700; } .allure .skipped { fill: #8c959f; }
@media (prefers-color-scheme: dark) { .allure text { fill: #e6edf3; } }"""


@dataclass(frozen=True, slots=True, order=True)
class CaseOfResults:
    """A case of the results: the groups that Allure shows it in, its title, its parameters and its status."""

    groups: tuple[str, ...]
    title: str
    parameters: str
    status: str


def cases_of(folder: Path) -> list[CaseOfResults]:
    """Return the cases of a folder with Allure results, sorted; a case of two rules is in both."""
    return sorted(
        case for file in folder.glob("*-result.json") for case in _cases(json.loads(file.read_text("utf-8")))
    )


def _cases(result: dict[str, object]) -> Iterator[CaseOfResults]:
    labels = [(label["name"], label["value"]) for label in result["labels"]]
    epic, feature = (next(value for name, value in labels if name == level) for level in _LEVELS[:2])
    parameters = [
        str(parameter["value"]).strip("'")
        for parameter in result.get("parameters", ())
        if not parameter["name"].startswith("kueue_")
    ]
    for name, story in labels:
        if name == "story":
            yield CaseOfResults(
                (epic, feature, story), result["name"], ", ".join(parameters), result["status"]
            )


def picture(cases: Sequence[CaseOfResults]) -> str:
    """Return the drawing: a row for each group and each case, and the status of each case."""
    rows: list[str] = []
    shown: tuple[str, ...] = ()
    for case in cases:
        for depth, group in enumerate(case.groups):
            if shown[: depth + 1] != case.groups[: depth + 1]:
                shown = case.groups[: depth + 1]
                rows.append(_text(len(rows), depth, group, "group"))
        suffix = f" [{case.parameters}]" if case.parameters else ""
        y = len(rows) * _ROW
        mark = f'<rect class="{case.status}" x="{3 * _INDENT}" y="{y + 6}" width="12" height="12" rx="3"><title>{case.status}</title></rect>'
        rows.append(mark + _text(len(rows), 3, f"{case.title}{suffix}", "case", 18))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {len(rows) * _ROW + 8}" role="img" aria-label="Allure results by document, profile and rule">'
    return "\n".join(
        [head, f"<style>\n{_STYLE}\n</style>", '<g class="allure">', *rows, "</g>", "</svg>", ""]
    )


def _text(row: int, depth: int, text: str, kind: str, indent: int = 0) -> str:
    return (
        f'<text class="{kind}" x="{4 + depth * _INDENT + indent}" y="{row * _ROW + 17}">{escape(text)}</text>'
    )


def results_of_run(folder: Path) -> list[CaseOfResults]:
    """Run the command in a folder of its own, and return the cases of its results."""
    words = [sys.executable, "-m", "kueue_conformance", *COMMAND, "--report-dir", str(folder)]
    words[words.index(COMMAND[4])] = COMMAND[4].replace("process:python", f"process:{sys.executable}")
    done = subprocess.run(words, cwd=ROOT, env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    return cases_of(folder / "allure-results")


if __name__ == "__main__":
    with TemporaryDirectory() as temporary:
        PICTURE.write_text(picture(results_of_run(Path(temporary))), "utf-8")
