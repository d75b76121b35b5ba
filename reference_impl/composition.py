"""Which parts make the control plane, and the rules of the dialect that they share (design.md §8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from . import defects, dialects
from .config import Config
from .dialects import Dialect
from .jobs.controller import JobPart
from .queues.part import QueuePart
from .runtime.part import Part
from .workload.controller import WorkloadPart
from .workload.rules import PodsReady

if TYPE_CHECKING:
    from .webhooks.server import WebhookServer


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


async def serve_webhooks(config: Config) -> WebhookServer | None:
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
    )
    await server.start()
    return server


def dialect_of(config: Config) -> Dialect:
    """Return the dialect that was asked for, with what the configuration says about waiting and keeping."""
    dialect = dialects.dialect(config.dialect)
    rules = replace(dialect.workload, retention=config.retention)
    if config.pods_ready != PodsReady():
        rules = replace(rules, pods_ready=config.pods_ready)
    dialect = replace(dialect, workload=rules)
    return dialect if config.defects else defects.without(dialect)
