"""`manifests`: prints what a cluster needs to run the suite as a Job."""

from __future__ import annotations

import re
from pathlib import Path

import click

from ..base.errors import UsageError
from ..options.shard import MOST_SHARDS
from .completions import paths

_LABEL = re.compile(r"[a-z]([-a-z0-9]{0,45}[a-z0-9])?")
"""A DNS label; with the end that Kubernetes gives to the names of Pods it has to fit into 63 characters."""
_SET_BY_THE_JOB = {"-n", "--workers", "--shard", "--report-dir", "--subject-file"}


def _name(_context: click.Context, option: click.Parameter, value: str) -> str:
    if value and not _LABEL.fullmatch(value):
        raise click.BadParameter(
            f"{value!r}: expected at most 47 lowercase letters, digits and hyphens, from a letter to a letter or digit",
            param=option,
        )
    return value


@click.command(short_help="print a Kubernetes Job that runs the suite in shards")
@click.argument("arguments", metavar="[-- OPTION...]", nargs=-1)
@click.option("--shards", type=click.IntRange(1, MOST_SHARDS - 1), required=True, help="how many Pods judge")
@click.option(
    "--subject-file",
    type=click.Path(path_type=Path),
    shell_complete=paths(),
    help="judge the controller of this file, which the image has",
)
@click.option(
    "--image", help="an image with this suite, and with the controller [default: kueue-conformance:<version>]"
)
@click.option(
    "--name", callback=_name, default="kueue-conformance", show_default=True, help="of the Job and all else"
)
@click.option(
    "--namespace", callback=_name, default="kueue-conformance", show_default=True, help="where it runs"
)
@click.option("--queue-name", callback=_name, default="", help="the LocalQueue in which Kueue queues the Job")
@click.option(
    "--workers",
    type=click.IntRange(1, 128),
    default=2,
    show_default=True,
    help="processes, and CPUs that a Pod requests",
)
@click.option("--memory", default="1Gi", show_default=True, help="the memory that a Pod requests")
@click.option(
    "--deadline",
    type=click.IntRange(1),
    default=3600,
    show_default=True,
    help="seconds after which the last Pod reports without shards that are missing",
)
@click.option(
    "--in-cluster",
    is_flag=True,
    help="judge on the cluster in which the Pods run, one shard after another, with the rights of an administrator",
)
def manifests(
    arguments: tuple[str, ...],
    shards: int,
    subject_file: Path | None,
    image: str | None,
    name: str,
    namespace: str,
    queue_name: str,
    workers: int,
    memory: str,
    deadline: int,
    in_cluster: bool,
) -> None:
    """Print an Indexed Job, its account and its rights, as YAML for `kubectl apply -f -`: each Pod runs a
    shard on a fake API server of its own, or on the cluster in which it runs, and the last one puts the
    reports together. OPTION are further words of `run`.

    The whole report is in the ConfigMap NAME-report; the Job fails when a rule that binds is broken.

    Exit code: 0 printed, 4 usage.
    """
    from .. import __version__
    from ..sharded_job.manifests import ShardedJob

    _check(arguments, _SET_BY_THE_JOB | ({"--backend"} if in_cluster else set()))

    job = ShardedJob(
        name=name,
        namespace=namespace,
        image=image or f"kueue-conformance:{__version__}",
        shards=shards,
        subject_file=_subject(subject_file) if subject_file else "",
        arguments=arguments,
        workers=workers,
        memory=memory,
        queue_name=queue_name,
        deadline_seconds=deadline,
        in_cluster=in_cluster,
    )
    click.echo(job.text(), nl=False)


def _subject(path: Path) -> str:
    """Return the text of a subject file that can be used. Raises UsageError."""
    from ..subject.declaration import declare

    declare("", str(path), "")  # reads it, and raises where it cannot be used
    return path.read_text("utf-8")


def _check(arguments: tuple[str, ...], set_by_the_job: set[str]) -> None:
    """Check further words of `run`.

    Raises UsageError for those that the Job sets, ClickException for unknown ones.
    """
    from .run_command import run

    for argument in arguments:
        if argument.partition("=")[0] in set_by_the_job or re.fullmatch(r"-n\d+", argument):
            raise UsageError(
                f"{argument!r} behind -- is set by the Job itself",
                hint="use --shards, --workers and --subject-file before --, and leave out where reports go",
            )
    run.make_context("run", list(arguments))
