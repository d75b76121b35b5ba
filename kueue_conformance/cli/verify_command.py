"""`verify`: checks that a report is consistent (harness/H-28), and may be submitted (H-32)."""

from __future__ import annotations

from pathlib import Path

import click

from .completions import paths
from .schemas import schema_option


@click.command(short_help="check a report against itself and the suite")
@click.argument("report", shell_complete=paths())
@click.option("--submission", is_flag=True, help="also check the requirements of a submitted report")
@schema_option("report")
def verify(report: str, *, submission: bool) -> int:
    """Recompute counts, results, digest, names and evidence of REPORT (a report.yaml) and say what is wrong.

    With --submission also the file's name, who and which version it is about, that it is complete, and that a
    README.md beside it has a section Reproduce.

    Exit code: 0 when it holds together, 1 when it does not, 4 when it cannot be read.
    """
    from ..report.afterwards import check
    from ..report.afterwards import submission as rules

    file, content = Path(report), check.read(report)
    problems = check.problems(content)
    shaped = not check.misshapen(content)
    if shaped:
        problems += check.evidence_problems(content, file.parent)
    if shaped and submission:
        problems += rules.problems(content, file)
    for problem in problems:
        click.echo(f"wrong: {problem}", err=True)
    click.echo(f"{report}: {'holds together' if not problems else f'{len(problems)} problem(s)'}")
    return 1 if problems else 0
