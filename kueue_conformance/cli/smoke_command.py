"""`smoke`: checks the connections between harness, server and subject (harness/H-03)."""

from __future__ import annotations

from contextlib import suppress
from threading import Event
from typing import Any

import click

from .. import options
from .preflight import preflight
from .shared_options import subject_options


@click.command(short_help="find wiring mistakes before anything is judged")
@click.option(
    "--keep",
    is_flag=True,
    help="leave the cluster until Ctrl-C, and print the command that starts the controller on it by hand",
)
@subject_options
def smoke(*, keep: bool, **smoke_options: Any) -> int:
    """Make five checks with a check controller: server, kinds, Active, one verdict, a clean end.

    A job integration is asked for seven: server, kinds, its start, a Workload of a job, a start, a stop, a
    clean end. Stops at the first that fails.

    Exit code: 0 all is wired, 3 the server or Kueue's kinds are missing,
    4 usage, 7 the subject does not do its part.
    """
    from .wiring import smoke as make

    words = {
        key.replace("_", "-"): value for key, value in smoke_options.items() if value not in (None, False)
    }
    # The subject file says which role is judged.
    role = {} if words.get("subject-file") else {"profile": "CHECK-CONTROLLER"}
    settings = preflight({**role, **words})
    code = 0
    for step in make(settings, lambda text: click.echo(text, err=True), _keep if keep else None):
        click.echo(f"{'ok    ' if step.problem is None else 'FAILED'} {step.number}/{step.of}  {step.text}")
        if step.problem is not None:
            click.echo(f"\nerror: {step.problem}", err=True)
            code = step.problem.exit_code
    if code:
        return code
    options_text = " ".join(f'--{key} "{words[key]}"' for key in words if key in options.BY_KEY)
    click.echo(f"\nall checks passed; judge it with: kueue-conformance run {options_text}")
    return 0


def _keep(command: str) -> None:
    """Print the command of the subject, and return at Ctrl-C."""
    click.echo(f"\nthe cluster stays until Ctrl-C; in another shell:\n\n{command}")
    with suppress(KeyboardInterrupt):
        Event().wait()
