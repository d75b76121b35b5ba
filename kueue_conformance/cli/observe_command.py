"""`observe`: judges the safety rules on a live cluster without writing to it (harness/N-11)."""

from __future__ import annotations

import json
import signal
import threading
from typing import Any

import click

from ..base.errors import EnvironmentProblem
from ..scenarios import dialect
from .durations import seconds_of
from .forms import form_option
from .schemas import schema_option

BROKEN, UNCLEAR, NOTHING = 1, 3, 5


@click.command(short_help="judge a controller on a live cluster, only looking")
@click.option("--kubeconfig", required=True, help="the cluster; it is only read")
@click.option("--context", default="", help="a context of the kubeconfig")
@click.option(
    "--controller-name", required=True, help="the spec.controllerName of the controller that is judged"
)
@click.option(
    "--for", "duration", default="", help="how long, such as 90s, 10m or 1h; default until interrupted"
)
@click.option(
    "--manager",
    multiple=True,
    help="the controller's field manager; default: the manager that sets its checks Active",
)
@click.option(
    "--dialect", "version", default=dialect.default(), show_default=True, help="the version of the documents"
)
@form_option()
@schema_option("observation")
def observe(
    kubeconfig: str,
    context: str,
    controller_name: str,
    duration: str,
    manager: tuple[str, ...],
    version: str,
    form: str,
) -> int:
    """Watch Workloads and AdmissionChecks of a cluster and
    judge the safety rules on what the controller does there.

    Nothing is created, changed or deleted. Who wrote what is guessed from
    managedFields, so a breach is a reason to look, not a verdict; rules about requests
    cannot be judged. Exit code: 0 nothing broken, 1 a must was broken, 3 the cluster
    or the author cannot be told, 4 usage, 5 no AdmissionCheck names the controller.
    """
    from ..observing import Follower, Observer, Reader
    from ..observing.observer import summary
    from ..wire.resource import RESOURCES

    seconds = seconds_of(duration) if duration else None
    judged_dialect = dialect.select(version)[0]
    stop, reader = threading.Event(), Reader(kubeconfig, context)
    kinds = [_newest_served(reader, RESOURCES[kind]) for kind in ("AdmissionCheck", "Workload")]
    observer = Observer(
        controller_name,
        judged_dialect,
        manager,
        _print_violation if form == "text" else lambda _: None,
        lambda name: reader.get(kinds[0].path("", name)),
    )
    followers = [Follower(reader, kind, observer.hear, stop) for kind in kinds]
    for follower in followers:
        follower.begin()
    for follower in followers:
        threading.Thread(target=follower.follow, daemon=True, name="observe").start()
    _wait(stop, seconds)
    result = observer.found
    if form == "json":
        click.echo(json.dumps(result.to_dict(), indent=2, ensure_ascii=False))
    else:
        for word, text in summary(result).items():
            click.echo(f"{word:<16} {text}")
        click.echo(f"{len(result.violations)} breach(es)")
    return _code(result)


def _code(result: Any) -> int:
    if result.binding:
        return BROKEN
    if not result.checks:
        click.echo(
            f"no AdmissionCheck names the controller {result.controller!r}: nothing was judged", err=True
        )
        return NOTHING
    if result.ambiguous and not result.managers:
        names = ", ".join(sorted(result.ambiguous))
        click.echo(
            f"{names} also reserves quota: name the controller's field manager with --manager", err=True
        )
        return UNCLEAR
    return 0


def _print_violation(violation: Any) -> None:
    click.echo(
        f"{violation.rule} [{violation.level}] {violation.thing} at rv {violation.revision}: {violation.text}\n  rule: a check controller {violation.wording}"
    )


def _newest_served(reader: Any, resource: Any) -> Any:
    """Return a kind in the newest version that the cluster serves."""
    from dataclasses import replace

    for version in (resource.version, "v1beta1"):
        if reader.get(f"/apis/{resource.group}/{version}") is not None:
            return replace(resource, version=version)
    raise EnvironmentProblem(
        f"{reader.host} serves no {resource.kind} of {resource.group}", hint="is Kueue installed there?"
    )


def _wait(stop: threading.Event, seconds: float | None) -> None:
    """Wait until the time is over, or the user interrupts."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    old = signal.signal(signal.SIGTERM, lambda *_: stop.set())
    try:
        stop.wait(seconds)
    except KeyboardInterrupt:
        pass
    finally:
        stop.set()
        signal.signal(signal.SIGTERM, old)
