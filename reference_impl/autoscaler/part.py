"""The autoscaler as a part of a program: what it follows, and what its loop is made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from reference_impl.api import kinds
from reference_impl.api.resource import Json
from reference_impl.runtime.part import Runnable, Runtime

from . import series
from .assembly import AutoscalerAssembly
from .cloud import Cloud
from .dialects import DEFAULT, dialect
from .flags import Flags
from .rules import AutoscalerRules


@dataclass(frozen=True, slots=True)
class AutoscalerPart:
    """Follows nodes, pods and requests, and changes the sizes of a cloud's groups."""

    flags: Flags
    cloud: Cloud
    rules: AutoscalerRules = field(default_factory=lambda: dialect(DEFAULT))

    def assemble(self, runtime: Runtime) -> Sequence[Runnable]:
        """Follow all that matters."""
        runtime.metrics.add(series.METRICS)
        assembly = AutoscalerAssembly(runtime, self.rules.effective(self.flags), self.rules, self.cloud)
        loop = assembly.loop()
        runtime.informer(kinds.PODS).add_handler(_waking(loop.alarm.ring))
        return [assembly.events, loop]


def _waking(wake: Callable[[], None]) -> Callable[[Json | None, Json | None], None]:
    """Wake the loop when a scheduler finds no place for a pod."""

    def on_pod(old: Json | None, new: Json | None) -> None:
        if new is not None and _gave_up(new) and not (old and _gave_up(old)):
            wake()

    return on_pod


def _gave_up(pod: Json) -> bool:
    conditions = (pod.get("status") or {}).get("conditions") or ()
    return any(
        condition["type"] == "PodScheduled" and condition["status"] == "False" for condition in conditions
    )
