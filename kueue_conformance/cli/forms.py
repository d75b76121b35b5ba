"""`--format`: the output format of a command."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])


def form_option(forms: Sequence[str] = ("text", "json")) -> Callable[[Command], Command]:
    """Return the option for the output format, the first by default; the command receives it as `form`."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(forms),
        default=forms[0],
        show_default=True,
        help="the output format",
    )
