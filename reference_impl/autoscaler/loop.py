"""One loop of the autoscaler after another: its steps in their order (PR-110…119)."""

from __future__ import annotations

from dataclasses import dataclass

from reference_impl.runtime.alarm import Alarm
from reference_impl.runtime.clock import Clock
from reference_impl.runtime.log import Logger
from reference_impl.runtime.metrics import Registry
from reference_impl.runtime.store import Store

from . import fleet as fleets
from . import series
from .booking import Booking
from .cloud import Cloud, CloudError
from .consumers import Consumers
from .expiring import Expiring
from .flags import Flags
from .fleet import Fleet
from .groups.health import is_cluster_healthy
from .memory import Memory
from .mending import Mending
from .picking import Picking
from .proposal.accepting import Accepting
from .proposal.watching import Watching
from .reporting import Reporting
from .rules import AutoscalerRules
from .scale_down.controller import ScaleDown
from .scale_up import ScaleUp
from .scene import Scene, scene_of
from .serving_requests import RequestClasses


@dataclass(kw_only=True)
class Loop:
    """Runs until it is cancelled; each round is one `run_once`."""

    flags: Flags
    rules: AutoscalerRules
    cloud: Cloud
    clock: Clock
    log: Logger
    metrics: Registry
    nodes: Store
    pods: Store
    memory: Memory
    watching: Watching
    mending: Mending
    expiring: Expiring
    accepting: Accepting | None
    """Only where classes of requests count."""
    consumers: Consumers
    picking: Picking
    booking: Booking
    scale_up: ScaleUp
    classes: RequestClasses
    scale_down: ScaleDown
    reporting: Reporting
    name: str = "autoscaler"

    def __post_init__(self) -> None:
        self.alarm = Alarm(self.clock)

    async def run(self) -> None:
        """Loop: at once after something was done, else after the scan interval or when a pod finds no place."""
        with self.clock.busy():
            await self.reporting.begin(self.clock.now())
        try:
            while True:
                with self.clock.busy():
                    busy = await self.run_once()
                if not (busy and self.flags.frequent_loops_enabled):
                    await self.alarm.wait(self.flags.scan_interval)
        finally:
            self.alarm.close()

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

    async def _steps(self, now: float) -> bool:
        fleet = fleets.fleet_of(await self.cloud.groups(), self.nodes, now, self.flags.max_node_startup_time)
        try:
            return await self._on(fleet, now)
        finally:
            await self.reporting.report(fleet, now)

    async def _on(self, fleet: Fleet, now: float) -> bool:
        await self.scale_down.clean_up(fleet)
        if self.flags.enable_provisioning_requests:
            await self.expiring.end(now)
            if self.accepting is not None:
                await self.accepting.accept()
            if await self.watching.watch(fleet, now):
                return False
        timed_out = self.memory.registrations.see(fleet, now)
        if await self.mending.mend(fleet, timed_out, now):
            return False
        if not is_cluster_healthy(fleet, self.flags):
            self.mending.tell_unhealthy()
            return False
        scene = scene_of(fleet, self.pods, self.memory, self.rules.is_room, now)
        if self.flags.enable_provisioning_requests:
            self.consumers.leave_out(scene)
            await self.picking.inject(scene, now)
            await self.booking.book(scene)
        await self._scale_up(scene, now)
        if self.flags.scale_down_enabled:
            await self.scale_down.run(scene, self.clock.now())
        self.memory.forget_hints(pod.uid for room in scene.snapshot.rooms for pod in room.pods)
        return scene.busy

    async def _scale_up(self, scene: Scene, now: float) -> None:
        """Serve a request or ordinary pods; where both wait they take turns (PR-117, PR-135)."""
        delay = self.flags.new_pod_scale_up_delay
        regular = [pod for pod in scene.pending if pod.created + delay <= now]
        if not self.rules.starts(regular, scene, self.flags, now):
            return
        for_requests = bool(scene.requested) and (self.memory.requests_next or not regular)
        self.memory.requests_next = not for_requests
        if for_requests:
            await self.classes.serve(scene)
        elif regular:
            await self.scale_up.serve(regular, scene)
        if scene.scaled_up:
            scene.busy = True
            self.memory.scaled_up = self.clock.now()
