"""`completion`: prints what a shell sources to complete commands, options and their values."""

from __future__ import annotations

import click
from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete

PROGRAM, VARIABLE = "kueue-conformance", "_KUEUE_CONFORMANCE_COMPLETE"


_SHELLS: dict[str, type[ShellComplete]] = {"bash": BashComplete, "zsh": ZshComplete, "fish": FishComplete}


@click.command(short_help="print the completion of a shell")
@click.argument("shell", type=click.Choice(list(_SHELLS)))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the script that SHELL sources: it completes commands, options, scenarios, dialects and profiles.

    Exit code: 0 printed, 4 usage.
    """
    answering = _SHELLS[shell](context.find_root().command, {}, PROGRAM, VARIABLE)
    # Not that of bash, which asks the bash here for its version: the script may be for another machine.
    click.echo(ShellComplete.source(answering))
