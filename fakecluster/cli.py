"""The command line: `fakecluster serve`, `fakecluster install-envtest-assets`.

Exit codes: 0 after SIGTERM or SIGINT, 3 when the environment refuses (a port that is taken), 4 for wrong usage or a file
that cannot be used.
"""

from __future__ import annotations

import signal
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

if TYPE_CHECKING:
    from .cluster import FakeCluster

ENVIRONMENT, USAGE = 3, 4
TICK = 0.02
"""Real seconds between two looks at what is due in virtual time."""
EXAMPLE = """
\b
Example:
  fakecluster serve --kubeconfig fake.kubeconfig --apply crds/ &
  kubectl --kubeconfig fake.kubeconfig get namespaces
"""


@click.group(epilog=EXAMPLE, context_settings={"help_option_names": ["-h", "--help"]})
def cli() -> None:
    """A Kubernetes API server in one process, for tests."""


@cli.command(epilog=EXAMPLE)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, help="Port on 127.0.0.1; 0 takes a free one."
)
@click.option("--kubeconfig", type=click.Path(path_type=Path), help="Write an admin kubeconfig to this file.")
@click.option(
    "--token-file",
    type=click.Path(path_type=Path),
    help='Bearer tokens, one a line as kube-apiserver reads them: token,user,uid,"group1,group2".',
)
@click.option(
    "--apply", "manifests", type=click.Path(path_type=Path), multiple=True,
    help="Objects to begin with: a YAML or JSON file, or a folder of them. May be repeated.",
)  # fmt: skip
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
    "--authorization", type=click.Choice(["always-allow", "rbac"]), default="always-allow", show_default=True,
    help="Who may do what.",
)  # fmt: skip
@click.option(
    "--controllers", default="all", show_default=True, help="Comma-separated names, `all`, or `none`."
)
@click.option(
    "--seed", type=int, default=None, help="Makes uids and generated names repeatable; random when left out."
)
def serve(
    kubeconfig: Path | None, token_file: Path | None, manifests: tuple[Path, ...], **settings: Any
) -> None:
    """Serve HTTPS on loopback until SIGTERM or SIGINT.

    Prints `ready https://127.0.0.1:PORT` when it answers.
    """
    objects = [one for path in manifests for one in _objects(path)]
    cluster = _started(_tokens(token_file), settings)
    stop = _on_signal()
    try:
        _prepare(cluster, objects, kubeconfig)
        print(f"ready {cluster.url}", flush=True)
        while not stop.wait(TICK if settings["clock"] == "virtual" else None):
            cluster.tick()
    finally:
        cluster.stop()


@cli.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
def install_envtest_assets(folder: Path) -> None:
    """Write the executables that Go's envtest starts into DIR.

    \b
    Example:
      fakecluster install-envtest-assets bin/fake
      KUBEBUILDER_ASSETS=$PWD/bin/fake go test ./...
    """
    from .envtest.install import install

    try:
        written = install(folder)
    except OSError as error:
        raise _unusable("write to", folder, error) from error
    for path in written:
        print(path)
    print(f"now: export KUBEBUILDER_ASSETS={folder.absolute()}")


def main() -> NoReturn:
    """Run the command line; errors are one line."""
    try:
        code = cli.main(standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        print(error.format_message())
        code = USAGE
    except click.ClickException as error:
        print(f"fakecluster: {error.format_message()}", file=sys.stderr)
        code = error.code if isinstance(error, _Failure) else USAGE
    except click.Abort:
        code = 0
    sys.exit(code)


class _Failure(click.ClickException):
    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


def _on_signal() -> threading.Event:
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    return stop


def _started(tokens: Any, settings: dict[str, Any]) -> FakeCluster:
    import secrets

    from .cluster import FakeCluster

    seed = settings["seed"] if settings["seed"] is not None else secrets.randbits(63)
    try:
        return FakeCluster(**{**settings, "seed": seed, "tokens": tokens}).start()
    except OSError as error:
        why = error.strerror or error
        raise _Failure(
            f"cannot listen on 127.0.0.1:{settings['port']}: {why}; try --port 0", ENVIRONMENT
        ) from error
    except ValueError as error:
        raise _Failure(str(error), USAGE) from error


def _prepare(cluster: FakeCluster, objects: list[Any], kubeconfig: Path | None) -> None:
    from .api.status import StatusError

    if kubeconfig is not None:
        try:
            cluster.kubeconfig(kubeconfig)
        except OSError as error:
            raise _unusable("write the kubeconfig", kubeconfig, error) from error
    try:
        cluster.apply(objects)
    except (StatusError, LookupError) as error:
        raise _Failure(f"--apply: {error}", USAGE) from error


def _objects(path: Path) -> list[Any]:
    from . import manifests

    try:
        return manifests.load(path)
    except OSError as error:
        raise _unusable("read the manifests", path, error) from error
    except manifests.ManifestError as error:
        raise _Failure(f"--apply: {error}", USAGE) from error


def _tokens(path: Path | None) -> Any:
    from .auth import tokens

    if path is None:
        return {}
    try:
        return tokens.parse(path.read_text(encoding="utf-8"), source=str(path))
    except OSError as error:
        raise _unusable("read the token file", path, error) from error
    except (tokens.TokenFileError, UnicodeDecodeError) as error:
        raise _Failure(f"--token-file: {error}", USAGE) from error


def _unusable(what: str, path: Path, error: OSError) -> _Failure:
    return _Failure(f"cannot {what} {path}: {error.strerror or error}", USAGE)
