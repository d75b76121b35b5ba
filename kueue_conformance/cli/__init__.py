"""The command line `kueue-conformance`: a table of commands, one module each."""

from __future__ import annotations

import sys

import click

from fakecluster.base.repeated_options import refuse_repeated_options

from ..base.errors import ConformanceError
from .cleanup_command import cleanup
from .cluster_reports import collect, publish
from .completion_command import completion
from .defects_command import defects
from .demo_command import demo
from .differential_command import differential
from .examples import teach
from .expectations_command import expectations
from .explore_command import explore
from .init_command import init
from .list_command import explain, listing
from .manifests_command import manifests
from .observe_command import observe
from .provenance_command import provenance
from .record_command import record
from .replay_command import replay
from .report_command import report
from .run_command import run
from .schemas import any_schema
from .smoke_command import smoke
from .verify_command import verify


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 140})
@any_schema
@click.version_option(package_name="kueue-conformance")
def cli() -> None:
    """Judge Kueue's two-stage admission: a control plane, or your own AdmissionCheck controller."""


for command in (
    init,
    smoke,
    run,
    manifests,
    explore,
    listing,
    explain,
    verify,
    report,
    expectations,
    replay,
    defects,
    observe,
    differential,
    record,
    provenance,
    cleanup,
    demo,
    completion,
):
    cli.add_command(command)
for command in (publish, collect):
    report.add_command(command)
teach(cli)


def main() -> None:
    """Run the command line; a ConformanceError is printed and ends the program with its exit code."""
    try:
        # click would exit by itself with its own codes: 1 for an abort, 2 for usage.
        refuse_repeated_options(cli, sys.argv[1:])
        code = cli.main(standalone_mode=False)
    except ConformanceError as problem:
        click.echo(f"error: {problem}", err=True)
        sys.exit(problem.exit_code)
    except click.ClickException as problem:
        problem.show()
        # click's own code for usage is 2, which here says that a run was cut short.
        sys.exit(4)
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        sys.exit(2)
    sys.exit(code if isinstance(code, int) else 0)
