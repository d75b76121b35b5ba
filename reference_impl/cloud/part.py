"""The cloud as a part of a program: kubelets of its machines, and a scheduler where there is no other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reference_impl.runtime.part import Runnable, Runtime

from .kubelets import Kubelets
from .model import CloudModel
from .revocations import Revocations
from .scheduler import Scheduler


@dataclass(frozen=True, slots=True)
class CloudPart:
    """Lets Nodes follow the machines of a model, in real or virtual time.

    The model is called on the loop of the program only.
    """

    model: CloudModel
    scheduler: bool = True

    def assemble(self, runtime: Runtime) -> Sequence[Runnable]:
        """Follow nodes and pods."""
        kubelets, revocations = Kubelets(self.model, runtime), Revocations(self.model, runtime)
        work: list[Runnable] = [kubelets.nodes, kubelets.pods, revocations.requests]
        return [*work, Scheduler(runtime).rounds] if self.scheduler else work
