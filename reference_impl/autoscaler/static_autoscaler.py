"""One loop of the autoscaler after another: its steps in their order (PR-110…119)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from reference_impl.runtime.alarm import Alarm
from reference_impl.runtime.clock import Clock
from reference_impl.runtime.log import Logger
from reference_impl.runtime.metrics import Registry
from reference_impl.runtime.store import Store

from . import series
from .autoscaler_state import AutoscalerState
from .booking import CapacityBooking
from .cloud import Cloud, CloudError
from .cluster_state import ClusterState, cluster_state_of
from .consumers import ConsumerPodsFilter
from .expiration import RequestExpiration
from .failed_instances import FailedInstances
from .flags import Flags
from .groups.health import is_cluster_healthy
from .injector import RequestInjector
from .loop_state import LoopState, loop_state_of
from .orchestrator import RequestOrchestrator
from .proposal.accepting import AcceptanceController
from .proposal.running_attempts import RunningAttempts
from .requests.request_cache import RequestCache
from .rules import AutoscalerRules
from .salvo import repeat_scale_up
from .scale_down.controller import ScaleDownController
from .scale_up import ScaleUpOrchestrator
from .simulation.pod import Pod
from .status_reporter import StatusReporter

# Pause after two loops that looked at a request and changed nothing: its writes fail,
# or it is too young.
UNCHANGED_SECONDS: Final = 1.0


@dataclass(kw_only=True)
class StaticAutoscaler:
    """Runs until it is cancelled; each round is one `run_once`."""

    flags: Flags
    rules: AutoscalerRules
    cloud: Cloud
    clock: Clock
    log: Logger
    metrics: Registry
    nodes: Store
    pods: Store
    autoscaler_state: AutoscalerState
    requests: RequestCache
    running_attempts: RunningAttempts
    failed_instances: FailedInstances
    expiration: RequestExpiration
    accepting: AcceptanceController | None
    """Only where classes of requests count."""
    consumers: ConsumerPodsFilter
    injector: RequestInjector
    booking: CapacityBooking
    scale_up: ScaleUpOrchestrator
    orchestrator: RequestOrchestrator
    scale_down: ScaleDownController
    status_reporter: StatusReporter
    name: str = "autoscaler"

    def __post_init__(self) -> None:
        self.alarm = Alarm(self.clock)
        self._unchanged = 0

    async def run(self) -> None:
        """Loop until cancelled; wake early when a pod finds no place."""
        with self.clock.busy():
            await self.status_reporter.begin(self.clock.now())
        try:
            while True:
                with self.clock.busy():
                    pause = await self.seconds_after_a_loop()
                if pause:
                    await self.alarm.wait(pause)
        finally:
            self.alarm.close()

    async def seconds_after_a_loop(self) -> float:
        """Go through all steps; return the seconds until the next loop."""
        before = self._changes
        busy = await self.run_once()
        # A write that the server refuses leaves the request as it was: without this the
        # loop would spin.
        self._unchanged = self._unchanged + 1 if busy and self._changes == before else 0
        return pause_after(self.flags, busy=busy, unchanged=self._unchanged)

    @property
    def _changes(self) -> tuple[int, int]:
        return self.requests.written, self.autoscaler_state.resizes

    async def run_once(self) -> bool:
        """Go through all steps; tell whether anything was done."""
        began = self.clock.now()
        try:
            return await self._steps(began)
        except CloudError as error:
            self.log.warning("loop ended early", error=error)
            self.metrics.increment(series.ERRORS, "cloudProviderError")
            return False
        finally:
            self.metrics.observe(series.DURATION, series.MAIN, value=self.clock.now() - began)

    async def _steps(self, current_time: float) -> bool:
        cluster = cluster_state_of(
            await self.cloud.groups(),
            self.autoscaler_state.nodes(self.nodes),
            current_time,
            self.flags.max_node_startup_time,
        )
        try:
            return await self._on(cluster, current_time)
        finally:
            await self.status_reporter.report(cluster, current_time)

    async def _on(self, cluster: ClusterState, current_time: float) -> bool:
        # First: taints of a run before this one would make its nodes look full.
        await self.scale_down.clean_up(cluster)
        if not self.flags.scale_up_from_zero and not cluster.count_ready():
            self.failed_instances.tell_unhealthy(_text_of_empty(cluster))
            return False
        if self.flags.enable_provisioning_requests:
            await self.expiration.end(current_time)
            if self.accepting is not None:
                await self.accepting.accept()
            # Sizes have changed, so what this loop read of the cloud is no longer so:
            # the real one returns here as well.
            if await self.running_attempts.watch(cluster, current_time):
                return False
        # Before failed machines are removed: a group whose time is over is backed off
        # first, and then told.
        timed_out = self.autoscaler_state.registrations.see(cluster, current_time)
        if await self.failed_instances.remove(cluster, timed_out, current_time):
            return False
        if not is_cluster_healthy(cluster, self.flags):
            self.failed_instances.tell_unhealthy()
            return False
        state = loop_state_of(
            cluster, self.pods, self.autoscaler_state, self.rules.counts_upcoming_nodes, current_time
        )
        if self.flags.enable_provisioning_requests:
            # Pods that consume a request never trigger a scale-up themselves, so they
            # leave before anything is counted (PR-186).
            self.consumers.leave_out(state)
            await self.injector.inject(state, current_time)
            # Before the scale-up: booked room is not free for ordinary pods.
            await self.booking.book(state)
        await self._scale_up(state, current_time)
        if self.flags.scale_down_enabled:
            await self.scale_down.run(state, self.clock.now())
        self.autoscaler_state.forget_hints(
            pod.uid for node_info in state.snapshot.node_infos for pod in node_info.pods
        )
        return state.busy

    async def _scale_up(self, state: LoopState, current_time: float) -> None:
        # Very young pods may still be bound by the scheduler.
        delay = self.flags.new_pod_scale_up_delay
        regular = [pod for pod in state.pending if pod.created + delay <= current_time]
        if not self.rules.should_start_scale_up(regular, state, self.flags, current_time):
            return
        if self.flags.salvo_scale_up:
            budget = self.flags.salvo_scale_up_budget
            await repeat_scale_up(self._scale_up_once, regular, state, self.clock, budget)
        else:
            await self._scale_up_once(regular, state)
        if state.scaled_up:
            state.busy = True
            self.autoscaler_state.scaled_up = self.clock.now()
            self.autoscaler_state.resizes += 1

    async def _scale_up_once(self, regular: Sequence[Pod], state: LoopState) -> None:
        """Serve a request or ordinary pods; where both wait they take turns (PR-117, PR-135)."""
        for_requests = bool(state.requested) and (self.autoscaler_state.requests_next or not regular)
        # They take turns, so that a stream of pods cannot keep requests waiting
        # (PR-135).
        self.autoscaler_state.requests_next = not for_requests
        if for_requests:
            await self.orchestrator.serve(state)
            state.requested = []
        elif regular:
            await self.scale_up.serve(regular, state)


def _text_of_empty(cluster: ClusterState) -> str:
    return "Cluster has no ready nodes." if cluster.members else "Cluster has no nodes."


def pause_after(flags: Flags, *, busy: bool, unchanged: int) -> float:
    """Return the seconds until the next loop: none after one that did something (PR-106, PR-124b).

    `unchanged` loops in a row only tried. The second is followed soon, not at once: while every write fails
    they would repeat themselves without end (PR-304).
    """
    if not (busy and flags.frequent_loops_enabled):
        return flags.scan_interval
    return 0.0 if unchanged < 2 else min(UNCHANGED_SECONDS, flags.scan_interval)
