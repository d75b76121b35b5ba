"""`report`: works with report files: compare, merge,
show as a matrix, judge again (harness/H-30, N-13, N-15).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..base.errors import EnvironmentProblem, UsageError
from ..base.files.input_limits import shorten
from ..base.files.saving import save
from ..base.printable import printable
from .completions import paths
from .forms import form_option
from .schemas import schema_option

if TYPE_CHECKING:
    from ..report.afterwards.comparison import ComparedReport, Difference

_MEASURED = ("passed", "failed")
"""Outcomes of cases that ran to an end: their seconds say what they cost."""


@click.group(short_help="compare, merge and judge report files again")
def report() -> None:
    """Work with the report.yaml of runs."""


@report.command(short_help="list the differences of two reports")
@click.argument("a", shell_complete=paths())
@click.argument("b", shell_complete=paths())
@form_option()
@click.option(
    "--only",
    type=click.Choice(["outcomes", "stories"]),
    help="only outcomes of cases, or only their stories",
)
@click.option("--known", "leave_out_known", is_flag=True, help="leave out what docs/differences.md explains")
@schema_option("difference")
def diff(a: str, b: str, form: str, only: str | None, *, leave_out_known: bool) -> int:
    """Name every case of the reports A and B whose outcome differs,
    and with evidence beside both, conditions and Events.

    Two reports of one subject beside different control planes tell who is to blame. Two reports of one
    dialect each are compared case by case, whichever dialect it was. Exit code: 0 no difference, 1
    differences, 4 a file cannot be used. With --known only differences that no row explains are left, and
    rows that explain nothing in these reports.
    """
    from ..report.afterwards.comparison import ComparedReport, compare, document

    side_a, side_b = ComparedReport.of(a), ComparedReport.of(b)
    differences = [
        difference
        for difference in compare(side_a, side_b)
        if only is None or difference.of_the_story == (only == "stories")
    ]
    idle: list[str] = []
    if leave_out_known:
        differences, idle = _without_known(differences, (side_a, side_b))
    if form == "json":
        click.echo(json.dumps(document(side_a, side_b, differences), indent=2, ensure_ascii=False))
        return 1 if differences else 0
    click.echo(f"A  {a}: {side_a.name}\nB  {b}: {side_b.name}")
    for difference in differences:
        click.echo(shorten(difference.line()))
    cases = len({(difference.scenario, difference.case) for difference in differences})
    for line in idle:
        click.echo(line)
    click.echo(f"{len(differences)} difference(s) in {cases} case(s)")
    return 1 if differences or idle else 0


def _without_known(
    differences: Sequence[Difference], sides: Sequence[ComparedReport]
) -> tuple[list[Difference], list[str]]:
    """Return the differences that no row explains, and a line for each row that explains none."""
    from ..report.afterwards.known_differences import rows, sort

    sorted_differences = sort(
        differences,
        rows(),
        {scenario for side in sides for scenario in side.ids_with_results},
        {side.server for side in sides},
    )
    idle = [
        f"{row.id} names nothing any more: remove it from fixtures/differences.yaml"
        for row in sorted_differences.idle
    ]
    return list(sorted_differences.unknown), idle


@report.command(short_help="put reports of one subject together")
@click.argument("reports", nargs=-1, required=True, shell_complete=paths())
@click.option(
    "--out", type=click.Path(path_type=Path), help="where to write the report; default standard output"
)
@schema_option("report")
def merge(reports: tuple[str, ...], out: Path | None) -> int:
    """Put REPORTS of one subject together: shards, backends, control planes or dialects.

    All shards of a run give the report that one run would have written, but for times and hosts. Where one is
    missing, the report is incomplete and names it.

    Exit code: 0 done, 1 a shard is missing, 4 different suites or subjects, or shards that overlap.
    """
    from ..report.afterwards.merged_report import merge as merged
    from ..report.formats.yaml_file import text

    report = merged(_load_all(reports))
    _write(text(report), out)
    missing = report["environment"].get("missingShards", ())
    for shard in missing:
        click.echo(f"shard {shard} is missing: the report is incomplete", err=True)
    return 1 if missing else 0


@report.command(short_help="write how long cases take, to divide a run by")
@click.argument("reports", nargs=-1, required=True, shell_complete=paths())
@click.option(
    "--table",
    type=click.Path(path_type=Path),
    help="the table that is refined; default the one of this version",
)
@click.option(
    "--out", type=click.Path(path_type=Path), help="where to write the table; default standard output"
)
def costs(reports: tuple[str, ...], table: Path | None, out: Path | None) -> int:
    """Write the seconds of a case by scenario, for `run --shard-costs`: what REPORTS measured, and of other
    scenarios what the table says.

    Exit code: 0 done, 4 a file cannot be used.
    """
    from ..scenarios.case_costs import SHIPPED, read_case_costs

    measurements = [
        (scenario["id"], case["seconds"])
        for document in _load_all(_files(reports)).values()
        for scenario in document["scenarios"]
        for case in scenario["cases"]
        if case["outcome"] in _MEASURED
    ]
    _write(read_case_costs(table or SHIPPED).refine(measurements).text(), out)
    return 0


@report.command(short_help="lay reports of several subjects side by side")
@click.argument("reports", nargs=-1, required=True, shell_complete=paths())
@form_option(("md", "html", "json"))
@click.option("--out", type=click.Path(path_type=Path), help="where to write it; default standard output")
@schema_option("matrix")
def matrix(reports: tuple[str, ...], form: str, out: Path | None) -> int:
    """Show REPORTS as a matrix of subjects, profiles and dialects, and the scenarios in which they differ.

    A folder stands for every file in it, and below it, whose name ends with report.yaml: a list of results to
    publish. Builds of one version are told apart by when they were judged.

    Exit code: 0 done, 4 they are of different suites.
    """
    from ..report.afterwards.matrix import markdown
    from ..report.afterwards.matrix import matrix as made
    from ..report.page import html

    writers: dict[str, Callable[[Any], str]] = {
        "md": markdown,
        "html": html.render_matrix,
        "json": lambda matrix_of_reports: (
            json.dumps(matrix_of_reports.to_dict(), indent=2, ensure_ascii=False) + "\n"
        ),
    }
    _write(printable(writers[form](made(_load_all(_files(reports))))), out)
    return 0


@report.command(short_help="show runs over time: what broke when")
@click.argument("folders", metavar="FOLDER...", nargs=-1, required=True, shell_complete=paths("dir"))
@click.option("--out", type=click.Path(path_type=Path), help="where to write it; default standard output")
def history(folders: tuple[str, ...], out: Path | None) -> int:
    """Write a page of the runs whose reports are in FOLDER, by date: what broke and was mended when, which
    scenarios are flaky, and which became slower. A report counts when its name ends with report.yaml.

    Each subject has a part of its own, and each place in which it was judged.

    Exit code: 0 done, 4 a file cannot be used.
    """
    from ..report.afterwards.history import histories
    from ..report.page import html

    _write(printable(html.render_history(histories(_load_all(_files(folders))))), out)
    return 0


@report.command(short_help="judge the safety rules again over kept evidence")
@click.argument("file", metavar="REPORT", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), help="where to write the new report")
@schema_option("evidence")
def rejudge(file: Path, out: Path | None) -> int:
    """Judge the safety rules of this version of the suite over
    the stories that REPORT keeps in its folder `evidence`.

    Exit code: 0 no breach that was not known, 1 new breaches, 4 there is no evidence.
    """
    from ..report.afterwards.check import load
    from ..report.afterwards.rejudged_report import rejudge as judged
    from ..report.formats.yaml_file import text

    rejudged = judged(load(str(file)), file.parent)
    for word, lines in (
        ("new", rejudged.new),
        ("gone", rejudged.gone),
        ("cannot be judged again, the evidence of its turn was not kept", rejudged.unknown),
    ):
        for line in lines:
            click.echo(f"{word}: {shorten(line)}")
    click.echo(f"{rejudged.cases} case(s) judged again: {len(rejudged.new)} new, {len(rejudged.gone)} gone")
    if out is not None:
        _write(text(rejudged.report), out)
    return 1 if rejudged.new else 0


@report.command(short_help="print what a shields.io badge shows")
@click.argument("file", metavar="REPORT", shell_complete=paths())
@schema_option("badge")
def badge(file: str) -> None:
    """Print the answer of an endpoint for shields.io: the counts of REPORT."""
    from ..report.afterwards.check import load
    from ..report.formats.badge import text

    click.echo(text(load(file)), nl=False)


@report.command("annotations", short_help="print what a CI page shows beside a change")
@click.argument("file", metavar="REPORT", shell_complete=paths())
def annotate(file: str) -> None:
    """Print a line for each cause of the failures in REPORT, as workflow commands of GitHub Actions."""
    from ..report.afterwards.check import load
    from ..report.formats.annotations import lines

    for line in lines(load(file)):
        click.echo(line)


@report.command(short_help="print what code scanning reads")
@click.argument("file", metavar="REPORT", shell_complete=paths())
@click.option("--out", type=click.Path(path_type=Path), help="where to write it; default standard output")
def sarif(file: str, out: Path | None) -> None:
    """Write the causes of the failures in REPORT as SARIF, each at the subject file: for a report that was
    merged. A run has written its own, conformance.sarif.
    """
    from ..report.afterwards.check import load
    from ..report.formats.sarif import text

    _write(text(load(file)), out)


def _files(names: Sequence[str]) -> list[str]:
    """Return the named reports, and all reports of named folders.

    Raises UsageError for a folder without any.
    """
    files: list[str] = []
    for name in names:
        below = sorted(map(str, Path(name).rglob("*report.yaml"))) if Path(name).is_dir() else [name]
        if not below:
            raise UsageError(
                f"folder {name!r} has no file whose name ends with report.yaml",
                hint="name the reports, or another folder",
            )
        files += below
    return files


def _load_all(paths: Sequence[str]) -> dict[str, Any]:
    from ..report.afterwards.check import load

    return {path: load(path) for path in dict.fromkeys(paths)}


def _write(text: str, out: Path | None) -> None:
    if out is None:
        click.echo(text, nl=False)
        return
    try:
        save(out, text)
    except EnvironmentProblem as problem:
        raise UsageError(str(problem.args[0]), hint="name another file with --out") from problem
    click.echo(str(out))
