"""What an autoscaler is made of: each component once, with the components that it uses."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from reference_impl.api import kinds
from reference_impl.api.resource import Json, Key
from reference_impl.runtime.part import Runtime

from .answer_services import AnswerServices
from .autoscaler_state import AutoscalerState
from .booking import CapacityBooking
from .cloud import Cloud
from .consumers import ConsumerPodsFilter
from .events import EventRecorder
from .expiration import RequestExpiration
from .failed_instances import FailedInstances
from .flags import ENFORCED, OFF, Flags
from .injector import RequestInjector
from .orchestrator import RequestOrchestrator
from .proposal.accepting import AcceptanceController
from .proposal.running_attempts import RunningAttempts
from .requests.pods import RequestPods
from .requests.request_cache import RequestCache
from .rules import AutoscalerRules
from .scale_down.controller import ScaleDownController
from .scale_down.soft_taints import SoftTaints
from .scale_up import ScaleUpOrchestrator
from .static_autoscaler import StaticAutoscaler
from .status_map import StatusMap
from .status_reporter import StatusReporter


@dataclass(frozen=True)
class AutoscalerAssembly:
    """One autoscaler in a program; what several components share is made when it is first asked for."""

    runtime: Runtime
    flags: Flags
    rules: AutoscalerRules
    cloud: Cloud

    @cached_property
    def autoscaler_state(self) -> AutoscalerState:
        """What it remembers between loops."""
        return AutoscalerState.of(self.flags, self.rules.is_answered)

    @cached_property
    def events(self) -> EventRecorder:
        """The Events that it writes."""
        runtime = self.runtime
        return EventRecorder(
            runtime.client,
            runtime.clock,
            runtime.log.with_name("events"),
            repeat=self.flags.record_duplicated_events,
        )

    @cached_property
    def requests(self) -> RequestCache:
        """The ProvisioningRequests that it follows."""
        runtime, resource = self.runtime, self.rules.request_resource
        return RequestCache(
            runtime.client,
            runtime.informer(resource).store,
            runtime.clock.now,
            runtime.log.with_name("requests"),
            resource=resource,
            read=self.rules.parse_request,
        )

    @cached_property
    def pods_of(self) -> RequestPods:
        """The pods of requests, by the PodTemplates that it follows."""
        templates = self.runtime.informer(kinds.POD_TEMPLATES).store
        return RequestPods(templates, self.rules.default_pod_spec, self.rules.pod_annotations)

    @cached_property
    def status(self) -> Json:
        """The ConfigMap that tells its status, and that Events are about."""
        namespace, name = self.flags.namespace, self.flags.status_config_map_name
        return {"apiVersion": "v1", "kind": "ConfigMap", "namespace": namespace, "name": name}

    @cached_property
    def scale_up(self) -> ScaleUpOrchestrator:
        """What makes groups larger, for requests and for ordinary pods."""
        runtime = self.runtime
        return ScaleUpOrchestrator(
            flags=self.flags,
            cloud=self.cloud,
            clock=runtime.clock,
            autoscaler_state=self.autoscaler_state,
            events=self.events,
            metrics=runtime.metrics,
            log=runtime.log.with_name("scale-up"),
            status=self.status,
        )

    def loop(self) -> StaticAutoscaler:
        """Return the loop over all components."""
        runtime, flags, rules, autoscaler_state = self.runtime, self.flags, self.rules, self.autoscaler_state
        instance = flags.check_capacity_processor_instance
        return StaticAutoscaler(
            flags=flags,
            rules=rules,
            cloud=self.cloud,
            clock=runtime.clock,
            log=runtime.log.with_name("autoscaler"),
            metrics=runtime.metrics,
            nodes=runtime.informer(kinds.NODES).store,
            pods=runtime.informer(kinds.PODS).store,
            autoscaler_state=autoscaler_state,
            requests=self.requests,
            running_attempts=self._running_attempts(),
            failed_instances=self._make_failed_instances(),
            expiration=RequestExpiration(
                requests=self.requests, rules=rules, attempts=autoscaler_state.attempts, instance=instance
            ),
            accepting=self._accepting(),
            consumers=ConsumerPodsFilter(events=self.events, rules=rules, requests=self.requests),
            injector=self._injector(),
            booking=CapacityBooking(
                requests=self.requests,
                pods_of=self.pods_of,
                rules=rules,
                instance=instance,
                hints=autoscaler_state.hints,
            ),
            scale_up=self.scale_up,
            orchestrator=self._orchestrator(),
            scale_down=self._scale_down(),
            status_reporter=self._status_reporter(),
        )

    def _running_attempts(self) -> RunningAttempts:
        return RunningAttempts(
            attempts=self.autoscaler_state.attempts,
            cloud=self.cloud,
            clock=self.runtime.clock,
            requests=self.requests,
            retries=self.autoscaler_state.retries,
            log=self.runtime.log.with_name("attempts"),
        )

    def _make_failed_instances(self) -> FailedInstances:
        return FailedInstances(
            cloud=self.cloud,
            autoscaler_state=self.autoscaler_state,
            events=self.events,
            metrics=self.runtime.metrics,
            log=self.runtime.log.with_name("failed-instances"),
            status=self.status,
        )

    def _injector(self) -> RequestInjector:
        flags, autoscaler_state = self.flags, self.autoscaler_state
        return RequestInjector(
            requests=self.requests,
            pods_of=self.pods_of,
            rules=self.rules,
            retries=autoscaler_state.retries,
            attempts=autoscaler_state.attempts,
            instance=flags.check_capacity_processor_instance,
            in_batches=flags.check_capacity_batch_processing,
        )

    def _orchestrator(self) -> RequestOrchestrator:
        answering = AnswerServices(
            flags=self.flags,
            clock=self.runtime.clock,
            requests=self.requests,
            retries=self.autoscaler_state.retries,
            attempts=self.autoscaler_state.attempts,
            scale_up=self.scale_up,
        )
        return RequestOrchestrator(answering=answering, pods_of=self.pods_of, rules=self.rules)

    def _scale_down(self) -> ScaleDownController:
        runtime = self.runtime
        return ScaleDownController(
            flags=self.flags,
            cloud=self.cloud,
            client=runtime.client,
            clock=runtime.clock,
            autoscaler_state=self.autoscaler_state,
            events=self.events,
            metrics=runtime.metrics,
            log=runtime.log.with_name("scale-down"),
            status=self.status,
            soft_taints=SoftTaints(
                client=runtime.client,
                clock=runtime.clock,
                log=runtime.log.with_name("soft-taints"),
                most=self.flags.max_bulk_soft_taint_count,
            ),
        )

    def _status_reporter(self) -> StatusReporter:
        key = Key(self.flags.namespace, self.flags.status_config_map_name)
        status_map = StatusMap(client=self.runtime.client, log=self.runtime.log.with_name("status"), key=key)
        return StatusReporter(flags=self.flags, autoscaler_state=self.autoscaler_state, map=status_map)

    def _accepting(self) -> AcceptanceController | None:
        """Follow classes and namespaces where classes count."""
        if self.flags.provisioning_classes == OFF:
            return None
        return AcceptanceController(
            requests=self.requests,
            is_class_required=self.flags.provisioning_classes == ENFORCED,
            classes=self.runtime.informer(kinds.PROVISIONING_CLASSES).store,
            namespaces=self.runtime.informer(kinds.NAMESPACES).store,
        )
