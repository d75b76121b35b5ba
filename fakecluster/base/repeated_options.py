"""Refuses an option that is given twice and does not add up; click would silently take its last value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import click


def refuse_repeated_options(command: click.Command, arguments: Sequence[str]) -> None:
    """Look through the options of a command line, down to the last subcommand.

    Raises click.UsageError; what is wrong otherwise is left to the command itself.
    """
    context = click.Context(command, resilient_parsing=True)
    try:
        _, rest, order = command.make_parser(context).parse_args(list(arguments))
    except click.UsageError:
        return
    for parameter, count in Counter(order).items():
        if isinstance(parameter, click.Option) and count > 1 and not adds_up(parameter):
            raise click.UsageError(f"{parameter.opts[-1]} is given {count} times: it takes one value")
    if isinstance(command, click.Group) and rest and (subcommand := command.get_command(context, rest[0])):
        refuse_repeated_options(subcommand, rest[1:])


def adds_up(option: click.Option) -> bool:
    """Tell whether an option may be given several times: all of its values count, or it ends the program."""
    return option.multiple or option.count or option.is_eager
