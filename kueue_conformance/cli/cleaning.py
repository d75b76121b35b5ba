"""`cleanup`: delete what runs have left that were killed (harness/H-41)."""

from __future__ import annotations

import click

from .. import scratch


@click.command(short_help="delete the kind clusters that killed runs have left")
@click.argument("names", nargs=-1)
@click.option("--kept", is_flag=True, help="those as well that were kept with --keep")
def cleanup(names: tuple[str, ...], *, kept: bool) -> int:
    """Delete the kind clusters whose runs are no more, or the clusters of these NAMES; nothing else on this machine is touched.

    Exit code: 0 nothing is left of them, 3 there is no kind or no Docker to delete them with, 4 usage.
    """
    from ..backends.kind.engine import Engine
    from ..backends.kind.program import Kind
    from ..backends.kind.reaping import Chosen, going, reap, staying

    scratch.sweep()
    chosen = Chosen(names=names, kept=kept)
    if going(chosen):
        Engine.found()
        for line in reap(Kind.found(), chosen):
            click.echo(line)
    else:
        click.echo("no cluster has to go")
    for line in staying(chosen):
        click.echo(line)
    return 0
