"""The autoscaler as a part of a program: what it follows, and what its loop is made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from reference_impl.api import kinds
from reference_impl.api.resource import Json, Key
from reference_impl.runtime.part import Runnable, Runtime

from . import series
from .answering import Answering
from .booking import Booking
from .cloud import Cloud
from .consumers import Consumers
from .dialects import DEFAULT, dialect
from .events import Events
from .expiration import Expiration
from .failed_instances import FailedInstances
from .flags import ENFORCED, OFF, Flags
from .injector import RequestInjector
from .loop import Loop
from .memory import Memory
from .orchestrator import RequestOrchestrator
from .proposal.accepting import Accepting
from .proposal.running_attempts import RunningAttempts
from .requests.known import KnownRequests
from .requests.pods import PodsOf
from .rules import AutoscalerRules
from .scale_down.controller import ScaleDown
from .scale_down.soft_taints import SoftTaints
from .scale_up import ScaleUp
from .status_map import StatusMap
from .status_reporter import StatusReporter


@dataclass(frozen=True, slots=True)
class AutoscalerPart:
    """Follows nodes, pods and requests, and changes the sizes of a cloud's groups."""

    flags: Flags
    cloud: Cloud
    rules: AutoscalerRules = field(default_factory=lambda: dialect(DEFAULT))

    def assemble(self, runtime: Runtime) -> Sequence[Runnable]:
        """Follow all that matters."""
        rules, flags = self.rules, self.rules.settled(self.flags)
        memory = Memory.of(flags, rules.is_answered)
        runtime.metrics.add(series.METRICS)
        events = Events(
            runtime.client, runtime.clock, runtime.log.named("events"), repeat=flags.record_duplicated_events
        )
        pods = runtime.informer(kinds.PODS)
        status = _status(flags)
        requests = KnownRequests(
            runtime.client,
            runtime.informer(rules.requests).store,
            runtime.clock.now,
            runtime.log.named("requests"),
            resource=rules.requests,
            read=rules.read,
        )
        pods_of = PodsOf(runtime.informer(kinds.POD_TEMPLATES).store.get, rules.defaulted, rules.marks)
        scale_up = ScaleUp(
            flags=flags,
            cloud=self.cloud,
            clock=runtime.clock,
            memory=memory,
            events=events,
            metrics=runtime.metrics,
            log=runtime.log.named("scale-up"),
            status=status,
        )
        instance = flags.check_capacity_processor_instance
        loop = Loop(
            flags=flags,
            rules=rules,
            cloud=self.cloud,
            clock=runtime.clock,
            log=runtime.log.named("autoscaler"),
            metrics=runtime.metrics,
            nodes=runtime.informer(kinds.NODES).store,
            pods=pods.store,
            memory=memory,
            requests=requests,
            running_attempts=RunningAttempts(
                attempts=memory.attempts, cloud=self.cloud, clock=runtime.clock, requests=requests,
                retries=memory.retries, log=runtime.log.named("attempts"),
            ),
            failed_instances=FailedInstances(cloud=self.cloud, memory=memory, events=events, metrics=runtime.metrics, status=status),
            expiration=Expiration(requests=requests, rules=rules, attempts=memory.attempts, instance=instance),
            accepting=_accepting(runtime, requests, flags),
            consumers=Consumers(events=events, rules=rules, requests=requests),
            injector=RequestInjector(
                requests=requests, pods_of=pods_of, rules=rules, retries=memory.retries, attempts=memory.attempts,
                instance=instance,
                in_batches=flags.check_capacity_batch_processing,
            ),
            booking=Booking(
                requests=requests, pods_of=pods_of, rules=rules, instance=instance, hints=memory.hints
            ),
            scale_up=scale_up,
            orchestrator=RequestOrchestrator(
                answering=Answering(
                    flags=flags, clock=runtime.clock, requests=requests, retries=memory.retries,
                    attempts=memory.attempts, scale_up=scale_up,
                ),
                pods_of=pods_of, rules=rules,
            ),
            scale_down=ScaleDown(
                flags=flags, cloud=self.cloud, client=runtime.client, clock=runtime.clock, memory=memory, events=events,
                metrics=runtime.metrics, log=runtime.log.named("scale-down"), status=status,
                soft_taints=SoftTaints(
                    client=runtime.client, clock=runtime.clock, log=runtime.log.named("soft-taints"),
                    most=flags.max_bulk_soft_taint_count,
                ),
            ),
            status_reporter=StatusReporter(
                flags=flags, memory=memory,
                map=StatusMap(
                    client=runtime.client, log=runtime.log.named("status"),
                    key=Key(flags.namespace, flags.status_config_map_name),
                ),
            ),
        )  # fmt: skip
        pods.add_handler(_waking(loop.alarm.ring))
        return [events, loop]


def _accepting(runtime: Runtime, requests: KnownRequests, flags: Flags) -> Accepting | None:
    """Follow classes and namespaces where classes count."""
    if flags.provisioning_classes == OFF:
        return None
    return Accepting(
        requests=requests,
        enforced=flags.provisioning_classes == ENFORCED,
        classes=runtime.informer(kinds.PROVISIONING_CLASSES).store,
        namespaces=runtime.informer(kinds.NAMESPACES).store,
    )


def _waking(wake: Callable[[], None]) -> Callable[[Json | None, Json | None], None]:
    """Wake the loop when a scheduler finds no place for a pod."""

    def on_pod(old: Json | None, new: Json | None) -> None:
        if new is not None and _gave_up(new) and not (old and _gave_up(old)):
            wake()

    return on_pod


def _gave_up(pod: Json) -> bool:
    conditions = (pod.get("status") or {}).get("conditions") or ()
    return any(each["type"] == "PodScheduled" and each["status"] == "False" for each in conditions)


def _status(flags: Flags) -> Json:
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "namespace": flags.namespace,
        "name": flags.status_config_map_name,
    }
