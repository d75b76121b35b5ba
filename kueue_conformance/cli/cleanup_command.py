"""`cleanup`: removes what killed runs have left (harness/H-41)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click

from ..base.cluster_options import ClusterOptions
from ..base.errors import EnvironmentProblem
from ..base.files import scratch


@click.command(short_help="remove what killed runs have left: kind clusters, objects in a cluster")
@click.argument("names", nargs=-1)
@click.option(
    "--kept", "include_kept", is_flag=True, help="delete the clusters as well that were kept with --keep"
)
@click.option(
    "--kind-reuse", "reused", default="", help="remove the objects of all runs from this kind cluster"
)
@click.option("--kubeconfig", default="", help="remove the objects of all runs from this cluster")
@click.option("--context", default="", help="a context of the kubeconfig")
@click.option("--run", "of", default="", help="only the objects of this run, by the value of their label")
def cleanup(
    names: tuple[str, ...], *, include_kept: bool, reused: str, kubeconfig: str, context: str, of: str
) -> int:
    """Delete the kind clusters whose runs are no more, or those of these NAMES, or the objects that runs left
    in a cluster.

    Objects are those that bear the label kueue-conformance.dev/run; no run may be at work in that cluster.
    Nothing else is touched. Exit code: 0 nothing is left, 3 a program or a cluster that is needed does not
    answer, 4 usage.
    """
    # Temporary folders of killed runs go in any case: no process is using them.
    scratch.sweep()
    for line in (
        _objects(reused, kubeconfig, context, of)
        if reused or kubeconfig
        else _clusters(names, include_kept=include_kept)
    ):
        click.echo(line)
    return 0


def _clusters(names: tuple[str, ...], *, include_kept: bool) -> Iterator[str]:
    from ..backends.kind import state_file
    from ..backends.kind.engine import Engine
    from ..backends.kind.kind_program import KindProgram
    from ..backends.kind.reaping import ClusterSelection, adopt, going, reap, staying, strays

    # Docker is asked only for names that have no record here.
    if {*names} - {record.name for record in state_file.records()}:
        Engine.detect()
        # A name that is no cluster stays unknown, and is refused below.
        adopt([name for name in strays(KindProgram.detect()) if name in names])
    chosen = ClusterSelection(names=names, include_kept=include_kept)
    if going(chosen):
        Engine.detect()
        yield from reap(KindProgram.detect(), chosen)
    else:
        yield "no cluster to delete"
    yield from staying(chosen)
    yield from _unknown_clusters()


def _unknown_clusters() -> Iterator[str]:
    """Print clusters that are recognised by their names only; nothing when they cannot be listed."""
    from ..backends.kind.kind_program import KindProgram
    from ..backends.kind.reaping import strays

    try:
        unknown_clusters = strays(KindProgram.detect())
    # Without Docker there is nothing to list, and the command has done its work.
    except EnvironmentProblem:
        return
    for name in unknown_clusters:
        yield f"left {name}: its owner is not known here; `kueue-conformance cleanup {name}` deletes it"


def _objects(reused: str, kubeconfig: str, context: str, of: str) -> Iterator[str]:
    from ..backends.leftovers import leftovers, remove
    from ..wire.client import Client
    from ..wire.transport import connect

    with _kubeconfig_of(reused, kubeconfig) as path:
        client = Client(connect(path, context), agent="kueue-conformance")
        # Listed before anything is deleted: what goes with its owner is named too.
        objects = leftovers(client, of)
        remove(client, objects)
    yield from (f"deleted {object_}, of run {object_.run}" for object_ in objects)
    yield "nothing of any run is left" if not objects else f"{len(objects)} objects deleted"


@contextmanager
def _kubeconfig_of(name: str, kubeconfig: str) -> Iterator[str]:
    """Yield the path of the kubeconfig, of a temporary one where a kind cluster is named."""
    if not name:
        yield kubeconfig
        return
    from ..backends.kind.engine import Engine
    from ..backends.kind.kind_program import KindProgram
    from ..backends.kind.reused_cluster import ReusedCluster, suitable

    engine, kind, cluster_options = Engine.detect(), KindProgram.detect(), ClusterOptions(reuse=name)
    cluster = ReusedCluster(kind, cluster_options, suitable(engine, kind, cluster_options))
    try:
        yield str(cluster.kubeconfig)
    finally:
        cluster.close(failed=False)
