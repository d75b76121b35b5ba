"""`fakecluster serve`: a cluster of its own until it gets a signal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..base.memory import for_good, give_back
from ..base.stop_signals import on_signal
from .failures import ENVIRONMENT, USAGE, Failure, unusable

if TYPE_CHECKING:
    from ..cluster.fake_cluster import FakeCluster

TICK_SECONDS = 0.02
"""Real seconds between two looks at what is due in virtual time."""
EXAMPLE = """
\b
Example:
  fakecluster serve --kubeconfig fake.kubeconfig --apply crds/ &
  kubectl --kubeconfig fake.kubeconfig get namespaces
"""


@click.command(epilog=EXAMPLE)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, help="Port on 127.0.0.1; 0 takes a free one."
)
@click.option("--kubeconfig", type=click.Path(path_type=Path), help="Write an admin kubeconfig to this file.")
@click.option(
    "--pki",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Write the cluster's authorities and keys to this folder as kubeadm does (ca, front-proxy-ca, front-proxy-client, sa, ...),"
    " to test an extension API server with real credentials. A reader of the folder is administrator of this cluster.",
)
@click.option(
    "--token-file",
    type=click.Path(path_type=Path),
    help='Bearer tokens, one a line as kube-apiserver reads them: token,user,uid,"group1,group2".',
)
@click.option(
    "--apply",
    "manifests",
    type=click.Path(path_type=Path),
    multiple=True,
    help="Objects to begin with: a YAML or JSON file, or a folder of them. May be repeated.",
)
@click.option(
    "--service",
    "services",
    multiple=True,
    metavar="NAMESPACE/NAME=HOST:PORT",
    help="Where a Service of webhooks or an APIService is reached. May be repeated; others are found by their endpoints.",
)
@click.option(
    "--outgoing",
    multiple=True,
    metavar="NETWORK",
    help="A network, such as 10.0.0.0/8, where webhooks and servers of APIServices are called beside loopback. May be repeated.",
)
@click.option(
    "--mount",
    "volumes",
    multiple=True,
    metavar="secrets/NAMESPACE/NAME=FOLDER",
    help="Keep a Secret, or with configmaps/ a ConfigMap, in a folder, as a kubelet does for a pod. May be repeated.",
)
@click.option(
    "--clock",
    type=click.Choice(["wall", "virtual", "hybrid"]),
    default="wall",
    show_default=True,
    help="Which time passes; virtual time stands still at 2026-01-01, and what is due at once still happens;"
    " in hybrid time controllers and pods live --speed times as fast.",
)
@click.option(
    "--speed",
    type=click.FloatRange(min=1),
    default=60.0,
    show_default=True,
    help="The pace of --clock hybrid.",
)
@click.option(
    "--authorization",
    type=click.Choice(["always-allow", "rbac"]),
    default="always-allow",
    show_default=True,
    help="Who may do what: every known user everything, or what roles and bindings say.",
)
@click.option(
    "--anonymous/--no-anonymous",
    default=None,
    help="Whether requests without credentials are accepted; by default with --authorization rbac only, as in kube-apiserver.",
)
@click.option(
    "--host",
    "hosts",
    multiple=True,
    metavar="NAME",
    help="A further name by which the server may be asked, such as that of a tunnel; requests for other names are refused. May be repeated.",
)
@click.option(
    "--controllers", default="all", show_default=True, help="Comma-separated names, `all`, or `none`."
)
@click.option(
    "--pod-script",
    metavar="SCRIPT",
    default="Running",
    show_default=True,
    help="What pods do that have no annotation fakecluster.dev/script, those of Jobs too. By default they run until"
    " kubectl annotate pod NAME fakecluster.dev/script=Succeeded, or 'Failed(3)', ends them. `instant` ends them at once,"
    " '2s Running, 30s Succeeded' after a while.",
)
@click.option(
    "--disable-admission-plugins",
    "disabled_admission_plugins",
    metavar="NAMES",
    default="",
    help="Comma-separated names as kube-apiserver has them, such as PodSecurity or ServiceAccount: plugins that are not asked.",
)
@click.option(
    "--max-requests-inflight",
    type=click.IntRange(min=0),
    default=400,
    show_default=True,
    help="With the next one, the seats that priority and fairness shares out; more requests that wait for others queue.",
)
@click.option(
    "--max-mutating-requests-inflight",
    type=click.IntRange(min=0),
    default=200,
    show_default=True,
    help="See above.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=None,
    help="Makes uids and generated names repeatable; random when left out.",
)
def serve(
    kubeconfig: Path | None,
    pki: Path | None,
    token_file: Path | None,
    manifests: tuple[Path, ...],
    services: tuple[str, ...],
    volumes: tuple[str, ...],
    disabled_admission_plugins: str,
    **settings: Any,
) -> None:
    """Serve HTTPS on loopback until SIGTERM or SIGINT.

    Prints `ready https://127.0.0.1:PORT` when it answers.
    """
    objects = [obj for path in manifests for obj in _objects(path)]
    addresses = dict(service.partition("=")[::2] for service in services)
    plugins = filter(None, map(str.strip, disabled_admission_plugins.split(",")))
    lists = {"services": addresses, "disabled_admission_plugins": tuple(plugins)}
    # Modules and built-in kinds live as long as the process: the collector need not look at them.
    with for_good():
        cluster = _start(_tokens(token_file), {**settings, **lists})
    stop = on_signal()
    try:
        _prepare(cluster, objects, kubeconfig)
        if pki is not None:
            _write_pki(cluster, pki)
        for volume in volumes:
            _mount(cluster, *volume.partition("=")[::2])
        print(f"ready {cluster.url}", flush=True)
        give_back()
        # Virtual time stands still, but what is due at this moment has to happen without a caller.
        while not stop.wait(TICK_SECONDS if settings["clock"] == "virtual" else None):
            cluster.tick()
    finally:
        cluster.stop()


def _start(tokens: Any, settings: dict[str, Any]) -> FakeCluster:
    import secrets

    from ..cluster.fake_cluster import FakeCluster

    # Random without the option: two servers side by side must not give the same uids.
    seed = settings["seed"] if settings["seed"] is not None else secrets.randbits(63)
    try:
        return FakeCluster(**{**settings, "seed": seed, "tokens": tokens}).start()
    except OSError as error:
        why = error.strerror or error
        raise Failure(
            f"cannot listen on 127.0.0.1:{settings['port']}: {why}; try --port 0", ENVIRONMENT
        ) from error
    except ValueError as error:
        raise Failure(str(error), USAGE) from error


def _prepare(cluster: FakeCluster, objects: list[Any], kubeconfig: Path | None) -> None:
    from ..api.status import StatusError

    if kubeconfig is not None:
        try:
            cluster.kubeconfig(kubeconfig)
        except OSError as error:
            raise unusable("write the kubeconfig", kubeconfig, error) from error
    try:
        cluster.apply(objects)
    except (StatusError, LookupError) as error:
        raise Failure(f"--apply: {error}", USAGE) from error


def _write_pki(cluster: FakeCluster, folder: Path) -> None:
    from ..cluster.pki import PkiError

    try:
        cluster.write_pki(folder)
    except PkiError as error:
        raise Failure(f"--pki: {error}", USAGE) from error
    except OSError as error:
        raise unusable("write the keys", folder, error) from error


def _mount(cluster: FakeCluster, volume: str, folder: str) -> None:
    from ..cluster.mounts import UnknownVolume

    if not folder:
        raise Failure(f"--mount: {volume!r} says no folder: write secrets/NAMESPACE/NAME=FOLDER", USAGE)
    try:
        cluster.mount(volume, Path(folder))
    except UnknownVolume as error:
        raise Failure(f"--mount: {error}", USAGE) from error
    except OSError as error:
        raise unusable("write the folder", Path(folder), error) from error


def _objects(path: Path) -> list[Any]:
    from ..cluster import manifests

    try:
        return manifests.load(path)
    except OSError as error:
        raise unusable("read the manifests", path, error) from error
    except manifests.ManifestError as error:
        raise Failure(f"--apply: {error}", USAGE) from error


def _tokens(path: Path | None) -> Any:
    from ..auth.authentication import static_tokens

    if path is None:
        return {}
    try:
        return static_tokens.parse(path.read_text(encoding="utf-8"), source=str(path))
    except OSError as error:
        raise unusable("read the token file", path, error) from error
    except (static_tokens.TokenFileError, UnicodeDecodeError) as error:
        raise Failure(f"--token-file: {error}", USAGE) from error
