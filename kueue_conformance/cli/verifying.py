"""`verify`: does a report hold together (harness/H-28)?"""

from __future__ import annotations

import click

from .schemas import schema_option


@click.command(short_help="check a report against itself and the suite")
@click.argument("report")
@schema_option("report")
def verify(report: str) -> int:
    """Recompute counts, results, digest and names of REPORT (a report.yaml) and say what is wrong.

    Exit code: 0 when it holds together, 1 when it does not, 4 when it cannot be read.
    """
    from ..report.check import load, problems

    found = problems(load(report))
    for problem in found:
        click.echo(f"wrong: {problem}", err=True)
    click.echo(f"{report}: {'holds together' if not found else f'{len(found)} problem(s)'}")
    return 1 if found else 0
