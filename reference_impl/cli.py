"""`kueue-reference`: options become a Config. Exit codes: 0 stopped, 3 environment, 4 usage or unreadable file."""

from __future__ import annotations

import difflib
import sys
from pathlib import Path
from typing import Any, NoReturn

import click

from .api.crds import EDITIONS
from .config import Config, ConfigError, Settings, read
from .features import FeatureError, Features, parse
from .runtime import kubeconfig
from .runtime.address import parse_address
from .runtime.errors import KubeconfigError, OutsideError
from .runtime.log import LEVELS

ENVIRONMENT, USAGE = 3, 4
DIALECTS = ", ".join(EDITIONS)
EPILOG = """\b
Example: admit Jobs in a cluster of its own
  fakecluster serve --kubeconfig cluster.yaml &
  kueue-reference --kubeconfig cluster.yaml --install
  kubectl --kubeconfig cluster.yaml create -f queues.yaml -f job.yaml

\b
Exit codes: 0 stopped by a signal, 3 no usable API server, 4 bad usage or file.
"""


def _address(_context: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    """Check HOST:PORT; `0` switches an endpoint of the configuration off."""
    if value is None:
        return None
    if value == "0":
        return ""
    try:
        parse_address(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
    return value


def _dialect(_context: click.Context, _option: click.Parameter, value: str) -> str:
    if value in EDITIONS:
        return value
    near = difflib.get_close_matches(value, EDITIONS, n=1)
    hint = f"did you mean {near[0]}?" if near else f"known: {DIALECTS}"
    raise click.BadParameter(f"unknown dialect {value!r}; {hint}")


FILE = click.Path(path_type=Path)
OPTIONS = (
    click.Option(["--kubeconfig"], type=FILE, metavar="FILE", help="Where the API server is; default: a pod's account."),
    click.Option(["--install"], is_flag=True, help="First create the kinds, an identity and its rights."),
    click.Option(["--dialect"], default="v0.19", callback=_dialect, metavar="NAME", help=f"Which Kueue to be: {DIALECTS}."),
    click.Option(["--without-defects"], is_flag=True, help="Do what documents say where the release does not."),
    click.Option(["--config"], type=FILE, metavar="FILE", help="A Configuration (config.kueue.x-k8s.io/v1beta2)."),
    click.Option(["--feature-gates"], default="", metavar="NAME=BOOL,…", help="Switch feature gates."),
    click.Option(["--metrics-bind-address"], callback=_address, metavar="HOST:PORT", help="Serve /metrics there."),
    click.Option(["--health-bind-address"], callback=_address, metavar="HOST:PORT", help="Serve /healthz, /readyz there."),
    click.Option(["--webhook-port"], type=click.IntRange(0, 65535), metavar="PORT", help="Serve webhooks and v1beta1; 0: any free port."),
    click.Option(["--webhook-service"], default="", metavar="NAME", help="The Service through which webhooks are called."),
    click.Option(["--log-level"], type=click.Choice(LEVELS), default="warning", help="What goes to stderr."),
)  # fmt: skip


def start(**options: Any) -> None:
    """Run Kueue's admission against an API server until a signal comes."""
    with_install = options.pop("install")
    if options["webhook_port"] is not None and not with_install:
        raise click.UsageError("--webhook-port needs --install: the certificate is new in each run")
    config = config_of(**options)
    from .process import run  # the whole control plane: not for --help and not for wrong usage

    run(config, with_install=with_install, announce=click.echo)


command = click.Command(
    "kueue-reference", callback=start, params=list(OPTIONS), help=start.__doc__, epilog=EPILOG
)


def main() -> NoReturn:
    """Run the command line; every failure is one line and an exit code."""
    try:
        command.main(standalone_mode=False)
    except click.ClickException as error:
        _fail(USAGE, error.format_message())
    except (ConfigError, FeatureError, KubeconfigError) as error:
        _fail(USAGE, str(error))
    except OutsideError as error:
        _fail(ENVIRONMENT, str(error))
    except (click.Abort, KeyboardInterrupt):
        pass
    sys.exit(0)


def _fail(code: int, message: str) -> NoReturn:
    click.echo(f"kueue-reference: {message}", err=True)
    sys.exit(code)


def config_of(
    *,
    kubeconfig: Path | None,
    dialect: str,
    without_defects: bool,
    config: Path | None,
    feature_gates: str,
    metrics_bind_address: str | None,
    health_bind_address: str | None,
    webhook_port: int | None,
    webhook_service: str,
    log_level: str,
) -> Config:
    """Put options and configuration file together; options win."""
    settings = read(config) if config else Settings()
    features = Features({**settings.features.chosen, **parse(feature_gates).chosen})
    chosen = {
        "metrics_address": metrics_bind_address,
        "health_address": health_bind_address,
        "webhook_port": webhook_port,
    }
    return Config.of(
        settings,
        connection=_connection(kubeconfig),
        dialect=dialect,
        defects=not without_defects,
        features=features,
        pods_ready=None if features["DisableWaitForPodsReady"] else settings.pods_ready,
        log_level=log_level,
        webhook_service=webhook_service,
        **{name: value for name, value in chosen.items() if value is not None},
    )


def _connection(path: Path | None) -> kubeconfig.Connection:
    return kubeconfig.load(path) if path else kubeconfig.in_cluster()
