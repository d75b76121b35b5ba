"""Options that several commands share, from the table in options.py."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import click

from .. import options
from .completions import of_option

Command = TypeVar("Command", bound=Callable[..., object])
_OF_A_SUBJECT = (
    "subject",
    "subject-file",
    "controller-name",
    "backend",
    "control-plane",
    "dialect",
    "timeout-scale",
)


def _join(_context: click.Context, _option: click.Parameter, values: Sequence[str]) -> str | None:
    """Return the values of a list that is given several times as one list."""
    return ",".join(values) if values else None


def options_from(table: Sequence[options.Option]) -> Callable[[Command], Command]:
    """Return a decorator that gives a command these options."""

    def give(command: Command) -> Command:
        for option in reversed(table):
            default = f" [default: {option.default}]" if option.default else ""
            command = click.option(
                f"--{option.key}",
                is_flag=option.switch,
                multiple=option.is_list,
                callback=_join if option.is_list else None,
                default=None,
                shell_complete=of_option(option),
                help=option.help + default,
            )(command)
        return command

    return give


subject_options = options_from([option for option in options.OPTIONS if option.key in _OF_A_SUBJECT])
run_options = options_from(options.OPTIONS)
