"""`kueue-cloud`: options become Settings.

Exit codes: 0 stopped, 3 environment, 4 usage or unreadable file.
"""

from __future__ import annotations

import ipaddress
import sys
from pathlib import Path
from typing import Any, NoReturn

import click

from reference_impl.api.address import parse_address
from reference_impl.runtime.errors import KubeconfigError, OutsideError
from reference_impl.runtime.log import LEVELS
from reference_impl.runtime.repeated_options import refuse_repeated_options

from .parsing import CloudFile, CloudFileError, cloud_of

ENVIRONMENT, USAGE = 3, 4
LOOPBACK = "127.0.0.1"
EPILOG = """\b
Example: nodes for pods that wait
  fakecluster serve --kubeconfig cluster.yaml --controllers namespaces,kubelets &
  cat > groups.yaml <<END
  groups:
  - {id: small, max: 5, cpu: 4, memory: 16Gi, boot_seconds: 5}
  - {id: gpu, max: 2, cpu: 16, memory: 64Gi, resources: {nvidia.com/gpu: 4}}
  END
  kueue-cloud --kubeconfig cluster.yaml --groups groups.yaml --control-address 127.0.0.1:8087 &
  echo 'address: "127.0.0.1:8086"' > cloud.yaml
  kueue-autoscaler --kubeconfig=cluster.yaml --install --leader-elect=false --enable-provisioning-requests \\
    --cloud-provider=externalgrpc --cloud-config=cloud.yaml

\b
Example: the next machines of a group never come
  curl -X POST 127.0.0.1:8087/failures -d '{"action": "stockout", "group": "small", "times": 1}'
  curl 127.0.0.1:8087/            what else can be asked

\b
Exit codes: 0 stopped by a signal, 3 no usable API server or address, 4 bad usage or file.
"""


def _address(_context: click.Context, _option: click.Parameter, value: str) -> tuple[str, int]:
    try:
        host, port = parse_address(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
    return host or LOOPBACK, port


def _loopback(context: click.Context, option: click.Parameter, value: str) -> tuple[str, int]:
    """Check an address of this machine only: its callers may change everything."""
    host, port = _address(context, option, value)
    try:
        is_loopback = ipaddress.ip_address(host).is_loopback
    except ValueError:
        is_loopback = host == "localhost"
    if not is_loopback:
        raise click.BadParameter(f"{host} is not loopback; expected an address such as 127.0.0.1:8087")
    return host, port


FILE = click.Path(path_type=Path)
OPTIONS = (
    click.Option(["--kubeconfig"], type=FILE, metavar="FILE", help="Where the API server is; default: a pod's account."),
    click.Option(["--groups"], type=FILE, required=True, metavar="FILE", help="YAML with `groups`, and with `failures` if you like."),
    click.Option(["--failures"], type=FILE, metavar="FILE", help="YAML with `failures`, after those of --groups."),
    click.Option(["--address"], default="127.0.0.1:8086", show_default=True, callback=_address, metavar="HOST:PORT", help="Serve externalgrpc there; port 0: a free one."),
    click.Option(["--control-address"], default="127.0.0.1:0", show_default=True, callback=_loopback, metavar="HOST:PORT", help="Show groups, machines and the journal there, and take failures; loopback only."),
    click.Option(["--scheduler/--no-scheduler"], default=True, show_default=True, help="Bind pods, where there is no kube-scheduler."),
    click.Option(["--log-level"], type=click.Choice(LEVELS), default="warning", help="What goes to stderr."),
)  # fmt: skip


def start(*, groups: Path, failures: Path | None, **options: Any) -> None:
    """Be a cloud of node groups: serve the externalgrpc protocol
    of cluster-autoscaler, and make the machines real Nodes.
    """
    cloud = _read(groups)
    if not cloud.groups:
        raise click.UsageError(f"{groups}: groups is empty: expected at least one, for example `- id: ng-a`")
    if failures is not None:
        cloud = CloudFile(cloud.groups, [*cloud.failures, *_read(failures).failures])
    from .process import CloudSettings, run  # the whole cloud: not for --help and not for wrong usage

    run(CloudSettings(cloud=cloud, **options), click.echo)


def _read(path: Path) -> CloudFile:
    try:
        return cloud_of(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise click.UsageError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    except CloudFileError as error:
        raise click.UsageError(f"{path}: {error}") from None


command = click.Command(
    "kueue-cloud", callback=start, params=list(OPTIONS), help=start.__doc__, epilog=EPILOG
)


def main() -> NoReturn:
    """Run the command line; every failure is one line and an exit code."""
    try:
        refuse_repeated_options(command, sys.argv[1:])
        command.main(standalone_mode=False)
    except click.ClickException as error:
        _fail(USAGE, error.format_message())
    except KubeconfigError as error:
        _fail(USAGE, str(error))
    except OutsideError as error:
        _fail(ENVIRONMENT, str(error))
    except (click.Abort, KeyboardInterrupt):
        pass
    sys.exit(0)


def _fail(code: int, message: str) -> NoReturn:
    click.echo(f"kueue-cloud: {message}", err=True)
    sys.exit(code)
