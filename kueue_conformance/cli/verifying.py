"""`verify`: does a report hold together (harness/H-28)?"""

from __future__ import annotations

import click


@click.command(short_help="check a report against itself and the suite")
@click.argument("report")
@click.option("--schema", is_flag=True, help="print the report's JSON Schema and do nothing else")
def verify(report: str, schema: bool) -> int:
    """Recompute counts, results, digest and names of REPORT (a report.yaml) and say what is wrong.

    Exit code: 0 when it holds together, 1 when it does not, 4 when it cannot be read.
    """
    from ..report.check import SCHEMA, load, problems

    if schema:
        click.echo(SCHEMA.read_text("utf-8"))
        return 0
    found = problems(load(report))
    for problem in found:
        click.echo(f"wrong: {problem}", err=True)
    click.echo(f"{report}: {'holds together' if not found else f'{len(found)} problem(s)'}")
    return 1 if found else 0
