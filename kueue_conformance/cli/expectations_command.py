"""`expectations`: maintains files of known failures (harness/H-16, H-18)."""

from __future__ import annotations

import sys
from datetime import date, timedelta
from pathlib import Path

import click

from ..base.errors import UsageError
from ..base.files.saving import save
from .schemas import schema_option

_EXPIRY_DAYS = 90
"""Days until a new entry expires, unless `--expires` is given."""


@click.group(short_help="keep the list of what is known not to pass")
def expectations() -> None:
    """Write expectation files from reports, and find stale entries in them.

    `run --expectations FILE` reads them.
    """


@expectations.command(short_help="find dead and expired entries")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@schema_option("expectations")
def check(files: tuple[Path, ...]) -> int:
    """Read FILES and all that they include, and name every entry that must go.

    Exit code: 0 nothing is stale, 1 something is, 4 a file cannot be used.
    """
    from ..catalogue.inventory import inventory
    from ..expectations import read
    from ..expectations.checking import stale
    from ..report.results.expectations import today

    expectations = read(files)
    stale_entries = list(stale(expectations.entries, inventory(), today()))
    for entry, why in stale_entries:
        click.echo(f"{entry.where}: {entry.fingerprint}: {why}", err=True)
    click.echo(
        f"{len(expectations.entries)} entries in {len(expectations.files)} file(s), {len(stale_entries)} stale"
    )
    return 1 if stale_entries else 0


@expectations.command(short_help="write what failed into an expectation file, take out what passes")
@click.argument("report", type=click.Path(path_type=Path))
@click.option(
    "--file",
    required=True,
    type=click.Path(path_type=Path),
    help="the file to write; made when it is missing",
)
@click.option("--reason", default="", help="why the new entries fail; asked for at a terminal")
@click.option("--issue", default="", help="the issue: a link or number; asked for at a terminal")
@click.option("--owner", default="", help="the owner of the entry")
@click.option(
    "--expires",
    default="",
    help=f"the last day of new and expired entries, such as 2027-03-31; default {_EXPIRY_DAYS} days on",
)
@click.option("--dry-run", is_flag=True, help="print the new file instead of writing it")
def update(report: Path, file: Path, reason: str, issue: str, owner: str, expires: str, dry_run: bool) -> int:
    """Bring FILE up to date with REPORT (a report.yaml):
    comments and everything that still holds stay as they are.

    An included file is read and never written. Exit code: 0 done, 4 something is missing or cannot be read.
    """
    from ..expectations import read
    from ..expectations.updating import EntryReason, unexpected_failures
    from ..expectations.updating import update as updated
    from ..report.afterwards.check import load
    from ..report.results.expectations import cases_of, today

    cases = cases_of(load(str(report)))
    entries = read([file]).entries if file.exists() else ()
    needed = bool(unexpected_failures(cases, entries, date.min))
    why = EntryReason(
        reason=_ask_for("reason", reason, needed),
        issue=_ask_for("issue", issue, needed),
        owner=owner,
        expires=_day(expires) if expires else today() + timedelta(days=_EXPIRY_DAYS),
    )
    changes = updated(file, cases, why, today())
    if dry_run:
        click.echo(changes.text, nl=False)
        return 0
    save(file, changes.text)
    for word, names in (("added", changes.added), ("removed", changes.removed), ("renewed", changes.renewed)):
        for name in names:
            click.echo(f"{word}: {name}")
    click.echo(
        f"{file}: {len(changes.added)} added, {len(changes.removed)} removed, {len(changes.renewed)} renewed"
    )
    return 0


def _ask_for(name: str, value: str, needed: bool) -> str:
    if value or not needed:
        return value or "-"
    if sys.stdin.isatty():
        return str(click.prompt(f"{name} of the new entries"))
    raise UsageError(
        f"the report has new failures, and their {name} is missing",
        hint=f'add --{name} "…"',
    )


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise UsageError(f"--expires is {text!r}, expected a day", hint="write it as 2027-03-31") from None
