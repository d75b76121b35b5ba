"""Options that several commands share, from the table in options.py."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import click

from .. import options

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


def given_by(table: Sequence[options.Option]) -> Callable[[Command], Command]:
    """Return a decorator that gives a command these options."""

    def give(command: Command) -> Command:
        for one in reversed(table):
            default = f" [default: {one.default}]" if one.default else ""
            command = click.option(f"--{one.key}", is_flag=one.switch, default=None, help=one.help + default)(
                command
            )
        return command

    return give


subject_options = given_by([one for one in options.OPTIONS if one.key in _OF_A_SUBJECT])
run_options = given_by(options.OPTIONS)
