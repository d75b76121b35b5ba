"""`report publish` and `report collect`: how the Pods of `manifests` hand their reports on."""

from __future__ import annotations

from pathlib import Path

import click

from ..base.files.saving import save
from ..options.shard import MOST_SHARDS
from .completions import paths

_NAMESPACE = click.option(
    "--namespace", default="default", show_default=True, help="where the ConfigMaps are"
)
_OWNER = click.option(
    "--owner",
    help="NAME/UID of the Job to which ConfigMaps of shards belong; those of another one do not count",
)
_HOLDS = ("success", "partial")


@click.command(short_help="write a report into a ConfigMap")
@click.argument("file", metavar="REPORT", type=click.Path(path_type=Path), shell_complete=paths())
@click.option("--config-map", "name", required=True, help="the name of the ConfigMap")
@_NAMESPACE
@_OWNER
def publish(file: Path, name: str, namespace: str, owner: str | None) -> None:
    """Write REPORT, packed with gzip, into a ConfigMap of the cluster that KUBECONFIG names, or in which this
    Pod runs: `manifests` uses it.

    Exit code: 0 written, 3 the cluster refuses it, 4 a file or an option cannot be used.
    """
    from ..report.afterwards.check import load
    from ..report.formats.yaml_file import text
    from ..sharded_job.report_maps import Owner, connect

    content = text(load(str(file)))
    connect(namespace).publish(name, content, Owner.of(owner) if owner else None)
    click.echo(f"ConfigMap {namespace}/{name}")


@click.command(short_help="put reports of ConfigMaps together")
@click.argument("prefix")
@click.option("--shards", type=click.IntRange(1, MOST_SHARDS), required=True, help="how many there will be")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="where to write the report")
@click.option(
    "--deadline", type=click.IntRange(0), default=3600, show_default=True, help="seconds to wait for all"
)
@_NAMESPACE
@_OWNER
def collect(prefix: str, shards: int, out: Path, deadline: int, namespace: str, owner: str | None) -> int:
    """Wait for the ConfigMaps PREFIX1, PREFIX2 and so on, and put their reports together, as `report merge`.

    Exit code: 0 every profile holds, 1 a rule that binds is broken, something could not be judged, or a shard
    is missing, 3 the cluster refuses, or there is no report at all, 4 usage.
    """
    from ..base.errors import EnvironmentProblem
    from ..report.afterwards.check import load
    from ..report.afterwards.merged_report import merge
    from ..report.formats.yaml_file import text
    from ..sharded_job.report_maps import Owner, connect

    names = [f"{prefix}{number}" for number in range(1, shards + 1)]
    reports = connect(namespace).wait(names, Owner.of(owner) if owner else None, deadline)
    if not reports:
        raise EnvironmentProblem(
            f"no report is in ConfigMaps {namespace}/{prefix}1 to {shards} after {deadline} s",
            hint="see the logs of the Pods of the shards",
        )
    files = [out.with_name(f"{name}.yaml") for name in reports]
    for file, content in zip(files, reports.values(), strict=True):
        save(file, content)
    merged = merge({str(file): load(str(file)) for file in files})
    save(out, text(merged))
    for shard in merged["environment"].get("missingShards", ()):
        click.echo(f"shard {shard} is missing: the report is incomplete", err=True)
    for profile in merged["profiles"]:
        click.echo(f"{profile['name']:20} {profile['result']:12} {profile['summary']}")
    return 0 if all(profile["result"] in _HOLDS for profile in merged["profiles"]) else 1
