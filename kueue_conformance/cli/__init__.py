"""The command line `kueue-conformance`: a table of commands, one module each."""

from __future__ import annotations

import sys

import click

from ..errors import ConformanceError
from .differing import differential
from .expecting import expectations
from .listing import explain, listing
from .replaying import replay
from .reports import report
from .running import run
from .schemas import any_schema
from .smoking import smoke
from .verifying import verify

EPILOG = """Examples:

\b
  kueue-conformance run                         judge the reference Kueue, on a fake API server
  kueue-conformance run --dialect all           in every version of the documents
  kueue-conformance run --subject process:./my-controller --controller-name acme.io/budget
  kueue-conformance explain ADM-204             what a scenario shows
"""


@click.group(
    epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110}
)
@any_schema
@click.version_option(package_name="kueue-conformance")
def cli() -> None:
    """Judge Kueue's two-stage admission: a control plane, or your own AdmissionCheck controller."""


for command in (run, smoke, listing, explain, verify, report, expectations, replay, differential):
    cli.add_command(command)


def main() -> None:
    """Run the command line; a problem is told in words and ends with its exit code."""
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
