"""The text of a failure: the rule, expected and observed state,
the story, and the command to run it again (style.md §9).
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from ..catalogue.requirement import catalogue
from ..history.fact import UNDESCRIBED, Fact
from ..history.story import KUEUE, SUBJECT
from ..history.story_lines import tell
from ..options import BY_KEY, REPORT_FOLDER, Settings
from ..scenarios.dialect import Dialect
from ..scenarios.scenario import Scenario
from ..states import ways
from ..subject.hints import refusals

if TYPE_CHECKING:
    from ..backends.cluster import Cluster
    from ..history.story import Change, History, Request
    from ..subject.log import Line
    from ..subject.running_subject import RunningSubject
    from ..wire.client import Client

STORY_KINDS = frozenset({"Workload", "Job"})
_LOG_LINES = 5
_OBSERVED, _AGAIN = "  observed   ", "\n  run again  "
_LINES_BETWEEN = 6
_NOT_REPEATED = frozenset(
    {"select", "level", "exclude", "dialect", "seed", "report-dir", "expectations", "shard", "shard-costs"}
)
"""Options that select other cases, or that the command names itself."""
CANARY = "canary"
"""The role, and the beginning of the name, of what is made only to see that a subject has read everything."""
REPEAT_FOLDER = "again"
"""In a report folder: the folder for the report of a case that is run again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseDescription:
    """Title, rule and requirement of a case's scenario; all empty for an ordinary test."""

    title: str = ""
    level: str = ""
    rules: tuple[str, ...] = ()
    clauses: Mapping[str, str] = field(default_factory=dict)
    permits: tuple[str, ...] = ()
    """The safety rules that are not judged in it."""
    judges_own_jobs: bool = False
    """The control plane's own integration of Jobs is judged by the safety rules of job integrations, too."""
    repeat_command: str = ""


class FailedCase(Protocol):
    """The parts of a running case that a failure text needs."""

    cluster: Cluster
    client: Client
    subject: RunningSubject | None
    scenario: str
    dialect: Dialect
    about: CaseDescription
    skew: float
    drawn_values: list[str]
    upgrades: list[str]

    @property
    def history(self) -> History:
        """All writes since the case began."""


def about(scenario: Scenario, dialect: Dialect, settings: Settings) -> CaseDescription:
    """Return the scenario's part of a failure text."""
    requirements = catalogue()
    rules = tuple(
        f"{name}: {requirements[name].rule}" if name in requirements else name
        for name in scenario.requirement
    )
    repeat_command = run_again(scenario.id, dialect, settings)
    return CaseDescription(
        title=scenario.title,
        level=str(scenario.level),
        rules=rules,
        clauses=scenario.clauses,
        permits=scenario.permits,
        judges_own_jobs=scenario.profile.judges_own_jobs,
        repeat_command=repeat_command,
    )


def run_again(scenario: str, dialect: Dialect, settings: Settings) -> str:
    """Return the command that runs a scenario again, in one dialect, with the same names and settings."""
    return command(scenario, dialect.name, settings.changed_options, settings.seed)


def command(scenario: str, dialect: str, options: Mapping[str, object], seed: int) -> str:
    """Return the command that runs a scenario with the options of a run,
    as they were given or as its report names them.

    Its report goes to a folder of its own, so that the report of the run stays.
    """
    # A report may be of another release, with options that this one does not know.
    repeated_options = {
        key: value for key, value in options.items() if key in BY_KEY and key not in _NOT_REPEATED
    }
    # --key=value in one word: a value that begins with a dash is not taken for an option.
    words = [
        f"--{key}" if BY_KEY[key].switch else f"--{key}={value}" for key, value in repeated_options.items()
    ]
    return shlex.join(
        [
            "kueue-conformance",
            "run",
            scenario,
            f"--dialect={dialect}",
            f"--seed={seed}",
            *words,
            f"--report-dir={_repeat_folder(str(options.get('report-dir', '')))}",
        ]
    )


def _repeat_folder(report_dir: str) -> Path:
    folder = Path(report_dir or REPORT_FOLDER)
    # What was run again is run again in the same folder.
    return folder if folder.name == REPEAT_FOLDER else folder / REPEAT_FOLDER


def explain(case: FailedCase, clause: str, fact: Fact, when: str) -> str:
    """Return the text of a failure."""
    about = case.about
    name = f"{case.scenario}.{clause}" if clause else case.scenario
    level = [f"[{about.level}]"] if about.level else []
    expected = about.clauses.get(clause, fact.expected) if fact.expected == UNDESCRIBED else fact.expected
    statement = [f"  expected   {expected} ({when})", f"{_OBSERVED}{fact.observed}"]
    return "\n".join(
        [
            "  ".join([name, *filter(None, [about.title]), *level, f"[{case.dialect.name}]"]),
            *under("rule", about.rules),
            *under("refused", _lines_of_refusals(case)),
            *statement,
            *under("upgrade", case.upgrades),
            *story_of(case, statement),
        ]
    )


def complete(case: FailedCase, text: str) -> str:
    """Return the full text for a failure that a part of the context has found."""
    # Complete already: a failure passes through several layers that would complete it.
    if _OBSERVED in text or _AGAIN in text:
        return text
    first, *rest = text.splitlines() or [""]
    explanation = explain(case, "", Fact(False, case.about.title, first), "in this case")
    return "\n".join([explanation, *under("more", rest)])


def story_of(case: FailedCase, statement: Sequence[str] = ()) -> list[str]:
    """Return the lines about writes and their authors,
    the subject's last output, and the command to run the case again.

    Of the canaries only those are shown that `statement`, the lines about what is wrong, names.
    """
    shown = [
        change
        for change in _own_changes(case)
        if not change.name.startswith(f"{CANARY}-") or any(change.name in line for line in statement)
    ]
    printed = subject_output(case)
    log = [str(line) for line in printed[-_LOG_LINES:]]
    repeat_commands = [case.about.repeat_command] if case.about.repeat_command else []
    return [
        *under("story", tell(shown, between(shown, printed, case.skew), *_refused_writes(case))),
        *under("way", ways(shown)),
        *under("drawn", case.drawn_values),
        *under("log", log),
        *under("run again", repeat_commands),
    ]


def _own_changes(case: FailedCase) -> list[Change]:
    """Return the changes of Workloads and Jobs in the case's own namespaces: on a shared cluster other cases
    write as well.
    """
    own = {name for resource, _, name in case.client.created if resource.kind == "Namespace"}
    return [
        change
        for change in case.history
        if change.kind in STORY_KINDS
        and (change.namespace in own if own else change.namespace != "kube-system")
    ]


def _refused_writes(case: FailedCase) -> tuple[Sequence[Request], str]:
    """Return the writes to the case's objects that the server refused, and the noun of their author."""
    recorder = case.cluster.recorder
    if case.subject is None:
        refused, author = recorder.refused_writes(), KUEUE
    else:
        attempts = recorder.attempts()
        refused, author = [request for request in attempts if request.is_refused], SUBJECT
    own = [request for request in refused if case.client.owns(request.kind, request.namespace, request.name)]
    return own, author


def subject_output(case: FailedCase) -> list[Line]:
    """Return the subject's output in a case, without lines about
    objects of earlier cases, which it may still process.
    """
    if case.subject is None:
        return []
    # Names of a case bear the run and three hex digits of the case.
    marks = re.compile(rf"-{re.escape(case.client.run)}-[0-9a-f]{{3}}\b")
    own = {mark for _, _, name in case.client.created for mark in marks.findall(name)}
    marked_lines = [(line, set(marks.findall(line.text))) for line in case.subject.log()]
    return [line for line, named in marked_lines if not named or named & own]


def _lines_of_refusals(case: FailedCase) -> list[str]:
    """Return the requests of the subject that the server refused, and how to have missing rights."""
    return refusals(case.cluster.recorder.requests()) if case.subject else []


def between(changes: Sequence[Change], printed: Sequence[Line], skew: float = 0.0) -> list[tuple[float, str]]:
    """Return the newest lines that the subject printed while the
    changes happened, each with the server's time (harness/H-43).
    """
    if not changes:
        return []
    first, last = changes[0].at, changes[-1].at
    # The subject's lines have the subject's clock, the story has the server's.
    printed_meanwhile = [(line.at + skew, line.text) for line in printed if first <= line.at + skew <= last]
    return printed_meanwhile[-_LINES_BETWEEN:]


def under(title: str, lines: list[str] | tuple[str, ...]) -> list[str]:
    """Return lines with a title in front of the first."""
    return [f"  {'' if number else title:<9}  {line}" for number, line in enumerate(lines)]
