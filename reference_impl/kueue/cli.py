"""`kueue-reference`: options become a Config.

Exit codes: 0 stopped, 1 no visibility server, 3 environment, 4 usage or unreadable file.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import click

from ..api.address import parse_address
from ..api.known_releases import DEFAULT, NAMED, UnknownDialectError, version_of
from ..runtime import kubeconfig
from ..runtime.errors import KubeconfigError, OutsideError, StartError
from ..runtime.log import LEVELS
from ..runtime.repeated_options import refuse_repeated_options
from .config import ADMISSION, DEACTIVATED, PARTS, REJECT_MODES, Config, ConfigError, Settings, read
from .deployment.site import IMAGE, NAMESPACE
from .features import FeatureError, Features, parse

START, ENVIRONMENT, USAGE = 1, 3, 4
ANY_LOOPBACK_PORT = "127.0.0.1:0"
DIALECTS = f"{', '.join(NAMED)}, or a release such as 0.19.14"
EPILOG = """\b
Example: admit Jobs in a cluster of its own
  fakecluster serve --kubeconfig cluster.yaml &
  kueue-reference --kubeconfig cluster.yaml --install
  kubectl --kubeconfig cluster.yaml create -f queues.yaml -f job.yaml

\b
Example: run it inside a cluster
  kueue-reference manifests --image IMAGE | kubectl apply -f -

\b
Exit codes: 0 stopped by a signal, 1 the visibility server cannot start, 3 no usable API server, 4 bad usage or file.
"""
MANIFESTS_EPILOG = """\b
Example: run it in a cluster, change it, remove it
  kueue-reference manifests --image registry.example/kueue-reference:1 > kueue.yaml
  kubectl apply -f kueue.yaml
  kubectl delete -f kueue.yaml
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
    try:
        version_of(value)
    except UnknownDialectError as error:
        raise click.BadParameter(str(error)) from None
    return value


def _parts(_context: click.Context, _option: click.Parameter, value: str) -> frozenset[str]:
    chosen = frozenset(filter(None, (name.strip() for name in value.split(","))))
    unknown = sorted(chosen - set(PARTS))
    if unknown or not chosen:
        named = f"unknown part {unknown[0]!r}" if unknown else "no part is named"
        raise click.BadParameter(f"{named}; known: {', '.join(PARTS)}")
    return chosen


FILE = click.Path(path_type=Path)
REQUESTS = click.Option(
    ["--provisioning-requests"],
    type=click.Choice(("ca", "aep", "none")),
    default="ca",
    show_default=True,
    help="Which definition of ProvisioningRequest to bring.",
)
"""Of the Cluster Autoscaler, of the proposal, or none: a cluster may have its own."""
OPTIONS = (
    click.Option(["--kubeconfig"], type=FILE, metavar="FILE", help="Where the API server is; default: a pod's account."),
    click.Option(["--install"], is_flag=True, help="First create the kinds, an identity and its rights."),
    click.Option(["--dialect"], default=DEFAULT, callback=_dialect, metavar="NAME", help=f"Which Kueue to be: {DIALECTS}."),
    click.Option(["--without-defects"], is_flag=True, help="Do what documents say where the release does not."),
    click.Option(["--parts"], default=",".join(PARTS), callback=_parts, metavar="NAME,…", help=f"What to run: {', '.join(PARTS)}; default: all."),
    REQUESTS,
    click.Option(["--config"], type=FILE, metavar="FILE", help="A Configuration (config.kueue.x-k8s.io/v1beta2)."),
    click.Option(["--feature-gates"], default="", metavar="NAME=BOOL,…", help="Switch feature gates."),
    click.Option(["--leader-elect"], type=bool, metavar="BOOL", help="Work only while no other does; default: as the Configuration says, which is true."),
    click.Option(["--metrics-bind-address"], callback=_address, metavar="HOST:PORT", help="Serve /metrics there."),
    click.Option(["--health-bind-address"], callback=_address, metavar="HOST:PORT", help="Serve /healthz, /readyz there."),
    click.Option(["--visibility-bind-address"], callback=_address, metavar="HOST:PORT", help="Serve the pending Workloads there; 0: nowhere. With --install: on a free port."),
    click.Option(["--visibility-cert-dir"], type=FILE, metavar="FOLDER", help="tls.crt and tls.key of the pending Workloads, read again when they change; made, with ca.crt for clients, where they are missing."),
    click.Option(["--webhook-port"], type=click.IntRange(0, 65535), metavar="PORT", help="Serve webhooks and v1beta1; 0: any free port."),
    click.Option(["--webhook-service"], default="", metavar="NAME", help="The Service through which webhooks are called."),
    click.Option(["--visibility-apf"], is_flag=True, help="Install a FlowSchema for visibility, too."),
    click.Option(["--alpha-apis"], is_flag=True, help="Install the kinds of v1alpha1, too, from v0.20 on; they have no effect."),
    click.Option(["--book-capacity"], is_flag=True, help="With kep993: preempt as soon as quota is reserved, whatever checks say."),
    click.Option(["--reject-mode"], type=click.Choice(REJECT_MODES), default=DEACTIVATED, help="With kep993: what a Workload is that a check has rejected."),
    click.Option(["--log-level"], type=click.Choice(LEVELS), default="warning", help="What goes to stderr."),
)  # fmt: skip

MANIFESTS_OPTIONS = (
    click.Option(["--namespace"], default=NAMESPACE, show_default=True, metavar="NAME", help="Where its pods live."),
    click.Option(["--image"], default=IMAGE, show_default=True, metavar="NAME", help="The image that has `kueue-reference`."),
    click.Option(["--replicas"], type=click.IntRange(1), default=2, show_default=True, help="Pods; one of them leads."),
    click.Option(["--dialect"], default=DEFAULT, callback=_dialect, metavar="NAME", help=f"Which Kueue to be: {DIALECTS}."),
    click.Option(["--without-defects"], is_flag=True, help="Do what documents say where the release does not."),
    click.Option(["--feature-gates"], default="", metavar="NAME=BOOL,…", help="Switch feature gates."),
    click.Option(["--visibility-apf"], is_flag=True, help="With a FlowSchema for visibility."),
    click.Option(["--alpha-apis"], is_flag=True, help="With the kinds of v1alpha1, which have no effect."),
    REQUESTS,
)  # fmt: skip


@click.pass_context
def start(context: click.Context, /, **options: Any) -> None:
    """Run Kueue's admission against an API server until a signal comes."""
    if context.invoked_subcommand:
        return
    if options["webhook_port"] is not None and not options["install"]:
        raise click.UsageError("--webhook-port needs --install: the certificate is new in each run")
    if options["visibility_apf"] and not options["install"]:
        raise click.UsageError("--visibility-apf needs --install: it is one of the objects that are made")
    if options["alpha_apis"] and not options["install"]:
        raise click.UsageError("--alpha-apis needs --install: they are kinds that are made")
    if options["book_capacity"] and options["dialect"] != "kep993":
        raise click.UsageError(
            "--book-capacity needs --dialect kep993: no release reserves before it preempts"
        )
    if options["reject_mode"] != DEACTIVATED and options["dialect"] != "kep993":
        raise click.UsageError("--reject-mode needs --dialect kep993: each release has its own")
    if ADMISSION not in options["parts"] and options["webhook_port"] is not None:
        raise click.UsageError(f"--webhook-port needs the part {ADMISSION}: the webhooks are Kueue's own")
    with_install = options["install"]
    config = config_of(**options)
    from .process import run  # the whole control plane: not for --help and not for wrong usage

    run(config, with_install=with_install, announce=click.echo)


def print_manifests(**options: Any) -> None:
    """Print what a cluster needs to run the reference inside, as YAML for `kubectl apply -f -`."""
    from .deployment.bundle import text
    from .deployment.site import Site, SiteError

    try:
        requests_of = _requests(options.pop("provisioning_requests"))
        replace(parse(options["feature_gates"]), version=version_of(options["dialect"])).check()
        site = Site(**options, requests_of=requests_of)
    except SiteError as error:
        raise click.UsageError(str(error)) from None
    click.echo(text(site), nl=False)


command = click.Group(
    "kueue-reference",
    callback=start,
    invoke_without_command=True,
    params=list(OPTIONS),
    help=start.__doc__,
    epilog=EPILOG,
    subcommand_metavar="[manifests]",
)
command.add_command(
    click.Command(
        "manifests",
        callback=print_manifests,
        params=list(MANIFESTS_OPTIONS),
        help=print_manifests.__doc__,
        epilog=MANIFESTS_EPILOG,
    )
)


def main() -> NoReturn:
    """Run the command line; every failure is one line and an exit code."""
    try:
        refuse_repeated_options(command, sys.argv[1:])
        command.main(standalone_mode=False)
    except click.ClickException as error:
        _fail(USAGE, error.format_message())
    except (ConfigError, FeatureError, KubeconfigError) as error:
        _fail(USAGE, str(error))
    except StartError as error:
        _fail(START, str(error))
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
    install: bool,
    kubeconfig: Path | None,
    dialect: str,
    without_defects: bool,
    config: Path | None,
    feature_gates: str,
    leader_elect: bool | None,
    metrics_bind_address: str | None,
    health_bind_address: str | None,
    visibility_bind_address: str | None,
    visibility_cert_dir: Path | None,
    webhook_port: int | None,
    webhook_service: str,
    visibility_apf: bool,
    alpha_apis: bool,
    book_capacity: bool,
    reject_mode: str,
    parts: frozenset[str],
    provisioning_requests: str,
    log_level: str,
) -> Config:
    """Put options and configuration file together; options win."""
    settings = read(config) if config else Settings()
    features = Features({**settings.features.chosen, **parse(feature_gates).chosen})
    chosen = {
        "leader_election": leader_elect,
        "metrics_address": metrics_bind_address,
        "health_address": health_bind_address,
        "visibility_address": visibility_bind_address,
        "visibility_cert_dir": visibility_cert_dir,
    }
    if ADMISSION not in parts:
        chosen["visibility_address"] = ""
    elif install and visibility_bind_address is None and not settings.visibility_address:
        chosen["visibility_address"] = ANY_LOOPBACK_PORT
    # What --install installs has a certificate of this run; what the file says is for replicas that share
    # one.
    webhooks = {"webhook_port": webhook_port, "webhook_service": webhook_service, "webhook_secret": ""}
    return Config.of(
        settings,
        connection=_connection(kubeconfig),
        dialect=dialect,
        defects=not without_defects,
        visibility_apf=visibility_apf,
        alpha_apis=alpha_apis,
        book_capacity=book_capacity,
        reject_mode=reject_mode,
        parts=parts,
        requests_of=_requests(provisioning_requests),
        features=features,
        log_level=log_level,
        **(webhooks if install else {}),
        **{name: value for name, value in chosen.items() if value is not None},
    )


def _requests(chosen: str) -> str:
    return "" if chosen == "none" else chosen


def _connection(path: Path | None) -> kubeconfig.Connection:
    return kubeconfig.load(path) if path else kubeconfig.in_cluster()
