"""Which parts make the control plane, and the rules of the dialect that they share (design.md §8)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from . import defects, dialects
from .api.resource import Key
from .config import Config
from .dialects import Dialect
from .jobs.controller import JobPart
from .queues.part import QueuePart
from .runtime.client import Client
from .runtime.clock import Clock
from .runtime.log import Logger
from .runtime.part import Part
from .workload.controller import WorkloadPart
from .workload.rules import PodsReady

if TYPE_CHECKING:
    from .webhooks.certificates import Identity
    from .webhooks.secret import SharedKeyring
    from .webhooks.server import WebhookServer

Composition = Callable[[Config], Sequence[Part]]


def compose(config: Config) -> Sequence[Part]:
    """Return the parts of Kueue's control plane; those who follow the same objects hear of them in this order."""
    dialect = dialect_of(config)
    rules = dialect.workload
    queues = QueuePart(config, rules, dialect.queues)
    jobs = JobPart(
        rules=rules,
        order=dialect.job_order,
        manages_all=config.manage_jobs_without_queue_name,
        finishes_orphans=config.features["FinishOrphanedWorkloads"],
    )
    return queues, WorkloadPart(rules, queues.board), jobs


async def serve_webhooks(config: Config, identity: Identity | None = None) -> WebhookServer | None:
    """Start the webhooks when the configuration wants them; whoever calls stops them."""
    if config.webhook_port is None:
        return None
    # A web server takes long to load; most control planes have none.
    from .webhooks.defaults import Settings
    from .webhooks.reviews import Reviewer
    from .webhooks.server import WebhookServer

    settings = Settings(config.features, config.manage_jobs_without_queue_name)
    server = WebhookServer(
        Reviewer(config.dialect, settings),
        port=config.webhook_port,
        namespace=config.namespace,
        service=config.webhook_service,
        identity=identity,
    )
    await server.start()
    return server


def shared_keyring(config: Config, client: Client, clock: Clock, log: Logger) -> SharedKeyring | None:
    """Return the keyring that replicas share, None when each makes its own certificate."""
    if not config.webhook_secret:
        return None
    from .webhooks.secret import SharedKeyring
    from .webhooks.server import service_name

    return SharedKeyring(
        client=client,
        clock=clock,
        log=log.named("certificates"),
        secret=Key(config.namespace, config.webhook_secret),
        names=(service_name(config.namespace, config.webhook_service),),
    )


def with_certificates(server: WebhookServer, keyring: SharedKeyring) -> Composition:
    """Return the parts with one more, which keeps the certificate of a server."""
    from .webhooks.part import CertificatePart

    def composed(config: Config) -> Sequence[Part]:
        service = Key(config.namespace, config.webhook_service)
        return (*compose(config), CertificatePart(server=server, keyring=keyring, service=service))

    return composed


def dialect_of(config: Config) -> Dialect:
    """Return the dialect that was asked for, with what the configuration says about waiting and keeping."""
    dialect = dialects.dialect(config.dialect)
    rules = replace(dialect.workload, retention=config.retention)
    if config.pods_ready != PodsReady():
        rules = replace(rules, pods_ready=config.pods_ready)
    dialect = replace(dialect, workload=rules)
    return dialect if config.defects else defects.without(dialect)
