"""`provenance`: records from reports where each scenario last ran, and lists stale stamps."""

from __future__ import annotations

import time
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

import click

from ..base.errors import EnvironmentProblem, UsageError
from ..base.files.saving import save
from ..catalogue.inventory import inventory
from ..catalogue.provenance import STALE_DAYS, file, merge, never, read, stale, text
from .schemas import schema_option

_FILE = click.option(
    "--file", "path", type=click.Path(path_type=Path), help="another file than the one that is shipped"
)


@click.group(short_help="list where each scenario last passed")
def provenance() -> None:
    """Keep and show on which servers, and beside which Kueue, each scenario was last seen."""


@provenance.command(short_help="write down what reports saw")
@click.argument("reports", nargs=-1, required=True)
@_FILE
@schema_option("provenance")
def record(reports: tuple[str, ...], path: Path | None) -> int:
    """Write down of each scenario in REPORTS that passed or failed: where, when, at which revision.

    A later stamp replaces an earlier one; those of scenarios that there are no more are dropped.

    Exit code: 0 written, 4 a report cannot be used.
    """
    from ..report.afterwards.check import load
    from ..report.afterwards.stamps import stamps

    target = path or file()
    recorded, reported = read(target), [stamps(load(report)) for report in reports]
    for stamps_of_report in reported:
        recorded = merge(recorded, stamps_of_report)
    remaining = {
        name: stamps_of_scenario for name, stamps_of_scenario in recorded.items() if name in inventory()
    }
    try:
        save(target, text(remaining))
    except EnvironmentProblem as problem:
        raise UsageError(str(problem.args[0]), hint="name another file with --file") from problem
    for report, stamps_of_report in zip(reports, reported, strict=True):
        places = sorted(
            {place_name for stamps_by_place in stamps_of_report.values() for place_name in stamps_by_place}
        )
        click.echo(f"{report}: {len(stamps_of_report)} scenario(s) seen on {', '.join(places) or 'nothing'}")
    click.echo(str(target))
    return 0


@provenance.command("list", short_help="list what was seen where, or what is stale")
@click.option("--stale", "old", is_flag=True, help="only stale stamps; exit code 1 if there is any")
@click.option(
    "--never", "server", default="", help="only scenarios that were never seen at a place, such as kind"
)
@click.option(
    "--older-than", "days", default=STALE_DAYS, show_default=True, help="after so many days a stamp is stale"
)
@_FILE
def listing(path: Path | None, server: str, days: int, *, old: bool) -> int:
    """List where each scenario last ran.

    A stamp is stale when its scenario has changed since, is gone, failed there, or ran too long ago. Exit
    code: 0, with --stale 1 when something is.
    """
    recorded = read(path or file())
    if server:
        _tell(never(recorded, inventory(), server), f"never seen on {server}")
        return 0
    if old:
        today = datetime.fromtimestamp(time.time(), UTC).date()
        return 1 if _tell(map(str, stale(recorded, inventory(), today, days)), "stale") else 0
    _tell(
        (
            f"{name}  {where}: {stamp}"
            for name, stamps_by_place in sorted(recorded.items())
            for where, stamp in sorted(stamps_by_place.items())
        ),
        "stamp(s)",
    )
    return 0


def _tell(lines: Iterable[str], noun: str) -> int:
    shown = list(lines)
    for line in shown:
        click.echo(line)
    click.echo(f"{len(shown)} {noun}")
    return len(shown)
