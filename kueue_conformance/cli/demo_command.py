"""`demo`: shows the whole stack."""

from __future__ import annotations

from pathlib import Path

import click

from ..base.errors import UsageError


@click.command(short_help="watch a Job get quota, machines and an end")
@click.option(
    "--page",
    "page_file",
    type=click.Path(path_type=Path),
    default=Path("demo.html"),
    show_default=True,
    help="the page that is written",
)
@click.option(
    "--picture", "picture_file", type=click.Path(path_type=Path), help="the picture alone, as an SVG file"
)
def demo(page_file: Path, picture_file: Path | None) -> int:
    """Show the whole stack on virtual time: a Job waits, quota is reserved, machines are asked for and come
    up, the Job runs, and the machines go.

    Kueue, the autoscaler and the cloud are those of the reference, beside a fake API server; each line is
    what `kubectl get --watch` would print.
    """
    from ..demo.page import drawing, page
    from ..demo.story import play
    from ..demo.terminal import lines

    # Played once, and drawn twice: page and picture show the same story.
    story = play()
    for line in lines(story):
        click.echo(line)
    written = {page_file: page, **({picture_file: drawing} if picture_file else {})}
    for path, render in written.items():
        _write(path, render(story))
        click.echo(f"{'page' if path == page_file else 'picture'}: {path}")
    return 0


def _write(path: Path, content: str) -> None:
    try:
        path.write_text(content, "utf-8")
    except OSError as problem:
        raise UsageError(
            f"{str(path)!r} cannot be written: {problem.strerror}", hint="name a file in a folder that exists"
        ) from problem
