"""The command line `kueue-conformance`: a table of commands, one module each."""

from __future__ import annotations

import sys

import click

from ..base.errors import ConformanceError
from .beginning import init
from .cleaning import cleanup
from .demonstrating import demo
from .differing import differential
from .examples import teach
from .expecting import expectations
from .listing import explain, listing
from .observing import observe
from .provenance import provenance
from .recording import record
from .replaying import replay
from .reports import report
from .running import run
from .schemas import any_schema
from .smoking import smoke
from .verifying import verify


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 140})
@any_schema
@click.version_option(package_name="kueue-conformance")
def cli() -> None:
    """Judge Kueue's two-stage admission: a control plane, or your own AdmissionCheck controller."""


for command in (
    init,
    smoke,
    run,
    listing,
    explain,
    verify,
    report,
    expectations,
    replay,
    observe,
    differential,
    record,
    provenance,
    cleanup,
    demo,
):
    cli.add_command(command)
teach(cli)


def main() -> None:
    """Run the command line; a ConformanceError is printed and ends the program with its exit code."""
    try:
        code = cli.main(standalone_mode=False)
    except ConformanceError as problem:
        click.echo(f"error: {problem}", err=True)
        sys.exit(problem.exit_code)
    except click.ClickException as problem:
        problem.show()
        sys.exit(4)
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        sys.exit(2)
    sys.exit(code if isinstance(code, int) else 0)
