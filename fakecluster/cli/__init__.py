"""The command line: `fakecluster serve`, `install-envtest-assets`, `record`, `replay`, `front`.

Exit codes: 0 when all is well or after SIGTERM and SIGINT, 1 when a replay differs, 3 when the environment
refuses (a port that is taken, a cluster out of reach), 4 for wrong usage or a file that cannot be used.
"""

from __future__ import annotations

import sys
from typing import NoReturn

import click

from ..base.repeated_options import refuse_repeated_options
from .assets import install_envtest_assets
from .failures import USAGE, Failure
from .front import front
from .recording import record, replay
from .serve import EXAMPLE, serve


@click.group(epilog=EXAMPLE, context_settings={"help_option_names": ["-h", "--help"]})
def cli() -> None:
    """A Kubernetes API server in one process, for tests."""


for command in (serve, install_envtest_assets, record, replay, front):
    cli.add_command(command)


def main() -> NoReturn:
    """Run the command line; errors are one line."""
    try:
        # click would print its usage and exit with 2, which stands for something else here.
        refuse_repeated_options(cli, sys.argv[1:])
        code = cli.main(standalone_mode=False) or 0
    except click.exceptions.NoArgsIsHelpError as error:
        print(error.format_message())
        code = USAGE
    except click.ClickException as error:
        print(f"fakecluster: {error.format_message()}", file=sys.stderr)
        code = error.code if isinstance(error, Failure) else USAGE
    except click.Abort:
        code = 0
    sys.exit(code)
