"""`run`: builds a pytest command line, prints it and runs it in a child process (PY-34)."""

from __future__ import annotations

import fcntl
import os
import shlex
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import click

from ..base.errors import CUT_SHORT, UsageError
from ..catalogue.patterns import paths_to_collect
from ..options import REPORT_FOLDER, Settings
from ..scenarios.outcome import LACKING, Outcome
from .completions import one_of, scenario_ids
from .nothing_ran import why_nothing_ran
from .preflight import preflight, report_folder
from .pytest_process import LIVE, OUR_DISPLAY, PROGRESS, pytest_command, run_pytest
from .shared_options import run_options

INTERRUPTED, NOTHING = 2, 5
AGAIN, LOCK = "last-failed", ".lock"
"""In a report folder: the folder for reports of --last-failed, and the lock file of a run."""
_MOST_DEFAULT_WORKERS = 8
"""The most workers by default: each starts its own server and subject, so more cost more than they bring."""
_TO_BE_SEEN_AGAIN = {*LACKING, Outcome.XPASSED, Outcome.FLAKY, Outcome.NOTRUN}


@click.command(short_help="judge a control plane or a check controller")
@click.argument("names", metavar="[WHAT]...", nargs=-1, shell_complete=one_of(scenario_ids))
@click.option(
    "-n",
    "--workers",
    default="auto",
    show_default=True,
    help="worker processes; 0 runs in one process; auto is one for each core, two with a program as the subject, one process for API-SERVER and for an autoscaler of ours on a real server",
)
@click.option(
    "-x",
    "--fail-fast",
    is_flag=True,
    help="stop at the first case that fails, at whatever level; cases that run in other workers are finished",
)
@click.option(
    "--last-failed",
    is_flag=True,
    help="run what did not pass in the report of --report-dir; the report of that goes to the folder last-failed in it",
)
@click.option("--allure", is_flag=True, help="write Allure results below the report folder as well")
@click.option(
    "--live",
    is_flag=True,
    help="serve a page on loopback that fills while the cases run: objects, queues, watches and timeline of each worker's case; its address is printed",
)
@click.option(
    "-v", "--verbose", is_flag=True, help="show pytest's own output: its command, each case, every failure"
)
@click.option(
    "--pytest-arg",
    "extra",
    multiple=True,
    help="pass one more argument to pytest, and show pytest's own output",
)
@run_options
def run(
    names: tuple[str, ...],
    workers: str,
    *,
    fail_fast: bool,
    last_failed: bool,
    allure: bool,
    live: bool,
    verbose: bool,
    extra: tuple[str, ...],
    **options: Any,
) -> int:
    """Run scenarios: WHAT are ids (ADM-204), globs (ADM-2*),
    rows (SC-204) or requirements; nothing means whole profiles.

    Exit code: 0 all as it should be, 1 nonconformance, 2 interrupted, 3 undetermined, 4 usage, 5 nothing ran,
    7 subject dead.
    """
    words = {key.replace("_", "-"): value for key, value in options.items() if value not in (None, False)}
    failed_scenarios: tuple[str, ...] = ()
    if last_failed:
        folder = Path(words.get("report-dir") or REPORT_FOLDER)
        failed_scenarios, words["report-dir"] = failures_of_last_run(folder), str(folder / AGAIN)
        if not failed_scenarios:
            click.echo("no scenario failed last time: there is none to run")
            return NOTHING
    if names or failed_scenarios:
        words["select"] = ",".join(filter(None, [words.get("select"), *names, *failed_scenarios]))
    settings = preflight(words, reports=True, workers=workers, allure=allure)
    words["seed"] = settings.seed
    workers = processes(workers, settings, os.cpu_count() or 1)
    folder = report_folder(words.get("report-dir", ""))
    command = [
        *pytest_command(paths_to_collect(settings), {"report-dir": REPORT_FOLDER, **words}),
        "-n",
        workers,
        "--dist",
        "worksteal",
        "-p",
        PROGRESS,
        "-o",
        "console_output_style=classic",
        *(["-p", LIVE] if live else []),
        *(["-x"] if fail_fast else []),
        *(["-v"] if verbose else [] if extra else OUR_DISPLAY),
        *([f"--alluredir={folder / 'allure-results'}"] if allure else []),
        *extra,
    ]
    if verbose or extra:
        click.echo(f"+ {shlex.join(['pytest', *command[3:]])}")
    # An empty folder name: no report, so that no other run is in the way.
    with alone(folder) if words.get("report-dir", REPORT_FOLDER) else nullcontext():
        code = run_pytest(command)
    if code == NOTHING:
        click.echo(f"error: {why_nothing_ran(settings)}", err=True)
    if (code < 0 or code == CUT_SHORT) and settings.backend == "kind":
        _reap()
    return INTERRUPTED if code == CUT_SHORT else code


def processes(workers: str, settings: Settings, cores: int) -> str:
    """Return the number of workers: one where there is one subject,
    which cannot tell one worker from another.

    One worker on a cluster that all share is this process, which can configure the control plane for a case:
    no other runs meanwhile. A server that all cases share is asked by one worker: some exchanges change what
    belongs to the whole cluster, such as its addresses. An autoscaler that each case starts answers every
    request of the cluster. A program lives in real time, most of which is waiting for it: where there are few
    cores, each has two workers then.
    """
    if (
        settings.backend != "fake"
        and workers == "auto"
        and (settings.judges_server or settings.starts_autoscalers)
    ):
        return "0"
    if settings.subject is None:
        return "0" if workers == "1" and settings.backend != "fake" else workers
    connector = settings.subject.connector()
    if settings.backend != "fake" or connector.alone:
        return "0"
    crowd = max(cores, min(2 * cores, _MOST_DEFAULT_WORKERS))
    return str(crowd) if workers == "auto" and not connector.on_the_loop else workers


def _reap() -> None:
    """Delete what a killed run has left in the cluster (harness/H-42)."""
    from ..backends.kind.kind_program import KindProgram
    from ..backends.kind.reaping import reap

    for line in reap(KindProgram.detect()):
        click.echo(f"kind: {line}", err=True)


def failures_of_last_run(folder: Path) -> tuple[str, ...]:
    """Return the scenarios that did not pass in the report of a folder, nor in a later --last-failed run.

    Raises UsageError without a report.
    """
    from ..report.afterwards.check import load

    report, later = load(str(folder / "report.yaml")), folder / AGAIN / "report.yaml"
    outcomes = {scenario["id"]: scenario["outcome"] for scenario in report["scenarios"]}
    if later.is_file() and (since := load(str(later)))["date"] >= report["date"]:
        outcomes |= {scenario["id"]: scenario["outcome"] for scenario in since["scenarios"]}
    return tuple(name for name, outcome in outcomes.items() if outcome in _TO_BE_SEEN_AGAIN)


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Lock the report folder for one run. Raises UsageError when another run holds the lock."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / LOCK).open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as problem:
            raise UsageError(
                f"another run writes its reports to {str(folder)!r}",
                hint="wait for its end, or name another folder with --report-dir",
            ) from problem
        yield
