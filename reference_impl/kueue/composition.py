"""Which parts make the control plane, and the rules of the dialect that they share (design.md §8)."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from ..api.address import parse_address
from ..api.known_releases import version_of
from ..api.releases import version_text
from ..api.resource import Key
from ..runtime.client import Client
from ..runtime.clock import Clock
from ..runtime.fence import Fence
from ..runtime.leader import Leader
from ..runtime.log import Logger
from ..runtime.part import OptionalPart, Part
from ..runtime.program import Program
from . import defects
from .checks.preemption_policy import at_reservation
from .config import ADMISSION, FINISHED, JOBS, PROVISIONING_CHECK, Config
from .dialects.rules import Dialect
from .dialects.unadmitted import name_causes
from .dialects.workloads import finishing
from .jobs.controller import JobPart
from .managed_namespaces import ManagedNamespaces
from .provisioning import templates
from .provisioning.part import ProvisioningPart
from .queueing.admitted_view import AdmittedView
from .queueing.view import QueueView, Views
from .queues.part import Decisions, QueuePart
from .quota.usage_cache import consumed_by_reserved
from .scheduling.admissibility import SchedulerFeedback
from .workload import workload_timeouts
from .workload.controller import WorkloadPart
from .workload.rules import PodsReady

if TYPE_CHECKING:
    from ..runtime.serving.certificates import Identity
    from ..runtime.serving.secret import SharedKeyring
    from .queueing.queue_manager import QueueManager
    from .visibility.served import ServedVisibility
    from .webhooks.server import WebhookServer

Visibility = Callable[[Views], Part]
"""Makes the visibility part over views of the queues."""
CERTIFICATES_MANAGER: Final = "kueue-reference-certificates"
"""The field manager of the authorities that callers trust."""
LEASE: Final = "c1f6bfd2.kueue.x-k8s.io"
LEASE_BESIDE: Final = "parts.kueue-reference.x-k8s.io"
"""Of parts that run beside another Kueue."""
PROVISIONING_GATE: Final = "ProvisioningACC"
UNADMITTED_GATE: Final = "UnadmittedWorkloadsObservability"
TEMPLATES_GATE: Final = "EnforceProvisioningPodTemplateContents"
POD_SET_NAMES_GATE: Final = "SchedulingEquivalenceHashingIgnorePodSetName"
ANCHOR_GATE: Final = "AdmissionFairSharingAnchorAtQuotaReservation"
NO_PODS_READY_GATE: Final = "DisableWaitForPodsReady"
CLEANUP_GATE: Final = "CleanupProvisioningRequestsOnEviction"
TIMEOUTS_GATE: Final = "WorkloadLevelWaitForPodsReady"


def program(config: Config, *additional_parts: Part, visibility: Visibility | None = None) -> Program:
    """Return Kueue's control plane as a program for one manager, with parts beside its own."""
    return Program(
        user_agent=user_agent(config.dialect),
        lease=_lease(config),
        connection=config.connection,
        components=(*compose(config, visibility), *additional_parts),
        leader_election=config.leader_election,
        election=config.election,
        metrics_address=config.metrics_address,
        health_address=config.health_address,
        log_level=config.log_level,
        seed=config.seed,
    )


def user_agent(dialect: str) -> str:
    """Return what the control plane calls itself in its requests."""
    return f"kueue/v{version_text(version_of(dialect))} (reference) kubernetes/unknown"


def _lease(config: Config) -> Key:
    return Key(config.namespace, LEASE if ADMISSION in config.parts else LEASE_BESIDE)


def candidate(config: Config, client: Client, clock: Clock, log: Logger) -> Leader:
    """Return who looks whether another leads, before anything is written."""
    return Leader(
        client=client,
        clock=clock,
        log=log.with_name("leader"),
        lease=_lease(config),
        identity="",
        fence=Fence(clock, config.election.renew_deadline),
        times=config.election,
    )


def compose(config: Config, visibility: Visibility | None = None) -> Sequence[Part | OptionalPart]:
    """Return the configured parts; those that follow the same objects hear of them in this order.

    `visibility` makes the part that answers what waits in the queues.
    """
    dialect = dialect_of(config)
    program_parts: list[Part | OptionalPart] = []
    if ADMISSION in config.parts:
        program_parts += _admission(config, dialect, visibility)
    if JOBS in config.parts:
        position = min(2, len(program_parts))  # before what shows the queues
        program_parts.insert(position, _jobs(config, dialect))
    if PROVISIONING_CHECK in config.parts and _asks_for_capacity(config, dialect):
        provisioning_part = ProvisioningPart(dialect.provisioning)
        program_parts.append(
            OptionalPart(provisioning_part, dialect.provisioning.request_resource, PROVISIONING_CHECK)
        )
    return program_parts


def _admission(config: Config, dialect: Dialect, visibility: Visibility | None) -> Sequence[Part]:
    rules = dialect.workload
    decisions = Decisions(dialect.pending, dialect.scheduling)
    queues = QueuePart(config, rules, dialect.queues, decisions)
    shown = () if visibility is None else (visibility(_views(queues.queue_manager, config)),)
    reservations = queues.reservations if rules.reserves_before_preemption else None
    feedback = SchedulerFeedback(queues.queue_manager, dialect.scheduling) if rules.names_causes else None
    return queues, WorkloadPart(rules, queues.queue_manager, reservations, feedback), *shown


def _jobs(config: Config, dialect: Dialect) -> Part:
    return JobPart(
        rules=dialect.workload,
        order=dialect.job_order,
        job_rules=dialect.jobs,
        manages_all=config.manage_jobs_without_queue_name,
        finishes_orphans=config.gates["FinishOrphanedWorkloads"],
        namespaces=ManagedNamespaces(config.namespace_selector),
        respects_namespaces=config.gates["ManagedJobsNamespaceSelectorAlwaysRespected"],
    )


def _asks_for_capacity(config: Config, dialect: Dialect) -> bool:
    """Tell whether the provisioning check runs: its gate was off in early releases (PA-003, DK-01)."""
    return config.features.chosen.get(PROVISIONING_GATE, dialect.provisioning.is_enabled_by_default)


def _views(queue_manager: QueueManager, config: Config) -> Views:
    shown = config.gates["VisibilityAdmittedWorkloads"]
    return Views(
        QueueView(queue_manager.queues),
        partial(AdmittedView, queue_manager.ledger, queue_manager.queues) if shown else None,
    )


def serve_visibility(config: Config) -> ServedVisibility | None:
    """Return what makes the visibility part and serves it, None when the
    configuration wants none (VIS-002).
    """
    if not (config.visibility_address and config.gates["VisibilityOnDemand"]):
        return None
    # Most control planes have none: TLS and the shapes of answers take long to load.
    from ..runtime.serving.certificate_folder import CertificateFolder
    from .visibility.served import ServedVisibility

    return ServedVisibility(
        release=version_of(config.dialect),
        address=parse_address(config.visibility_address),
        namespace=config.namespace,
        verified=not config.defects,
        folder=CertificateFolder(config.visibility_cert_dir) if config.visibility_cert_dir else None,
    )


async def serve_webhooks(
    config: Config, classes: Container[Key], namespaces: ManagedNamespaces, identity: Identity | None = None
) -> WebhookServer | None:
    """Start the webhooks when the configuration wants them; the caller stops them.

    `classes` holds the WorkloadPriorityClasses that exist, `namespaces` tells where Jobs are managed.
    """
    if config.webhook_port is None:
        return None
    # Most control planes have none: TLS and the shapes of reviews take long to load.
    from .webhooks.defaults import DefaultingSettings
    from .webhooks.reviews import Reviewer
    from .webhooks.server import WebhookServer

    longest = (config.pods_ready or PodsReady()).max_on_workload
    settings = DefaultingSettings(
        config.gates, config.manage_jobs_without_queue_name, longest, classes, namespaces
    )
    server = WebhookServer(
        Reviewer(config.dialect, settings),
        port=config.webhook_port,
        namespace=config.namespace,
        service=config.webhook_service,
        identity=identity,
    )
    await server.start()
    return server


def share_keyring(config: Config, client: Client, clock: Clock, log: Logger) -> SharedKeyring | None:
    """Return the keyring that replicas share, None when each makes its own certificate."""
    if not config.webhook_secret:
        return None
    from ..runtime.serving.secret import SharedKeyring
    from .webhooks.server import service_name

    return SharedKeyring(
        client=client,
        clock=clock,
        log=log.with_name("certificates"),
        secret=Key(config.namespace, config.webhook_secret),
        names=(service_name(config.namespace, config.webhook_service),),
    )


def certificates(config: Config, server: WebhookServer, keyring: SharedKeyring) -> Part:
    """Return the part that keeps the certificate of the webhooks."""
    from ..runtime.serving.renewal import CertificatePart
    from .webhooks.callers import CALLERS

    return CertificatePart(
        keyring=keyring,
        servers=(server,),
        callers={Key(config.namespace, config.webhook_service): CALLERS},
        manager=CERTIFICATES_MANAGER,
    )


def dialect_of(config: Config) -> Dialect:
    """Return the configured dialect, with the rules that the configuration changes."""
    dialect = defects.find(config.dialect, defects=config.defects)
    if config.gates[UNADMITTED_GATE]:
        dialect = name_causes(dialect)
    rules = replace(dialect.workload, retention=config.retention)
    if config.book_capacity:
        rules = replace(rules, may_preempt=at_reservation)
    if config.reject_mode == FINISHED:
        rules = finishing(rules)
    pods_ready = None if config.gates[NO_PODS_READY_GATE] else config.pods_ready
    if pods_ready != PodsReady():
        rules = replace(rules, pods_ready=pods_ready)
    provisioning = dialect.provisioning
    cleans = config.features.chosen.get(CLEANUP_GATE, provisioning.deletes_requests_on_eviction)
    provisioning = replace(provisioning, deletes_requests_on_eviction=cleans)
    if config.gates[TEMPLATES_GATE]:
        provisioning = replace(
            provisioning,
            is_usable_template=templates.has_expected_contents,
            replaces_template=templates.replaces_any,
        )
    pending = replace(dialect.pending, hashes_pod_set_names=not config.gates[POD_SET_NAMES_GATE])
    if config.gates[ANCHOR_GATE]:
        pending = replace(pending, consumed_usage=consumed_by_reserved)
    jobs = dialect.jobs
    # Where pods are not waited for at all, a Workload cannot ask for it either.
    if config.gates[TIMEOUTS_GATE] and not config.gates[NO_PODS_READY_GATE]:
        rules = replace(rules, pods_ready_of=workload_timeouts.prefer_workload)
        jobs = replace(jobs, timeouts_annotation=workload_timeouts.ANNOTATION)
    return replace(dialect, workload=rules, jobs=jobs, provisioning=provisioning, pending=pending)
