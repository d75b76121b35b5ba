"""Two replicas of the control plane, of which one leads by a Lease (AC-375)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...case.context import CaseContext
from ...history.fact import Fact
from ...wire.client import Client

LEASES = "/apis/coordination.k8s.io/v1/leases"
GROUP = "kueue.x-k8s.io"


@dataclass(frozen=True, slots=True)
class Replicas:
    """The control plane that was started first, and a second one beside it."""

    context: CaseContext
    client: Client

    def start_second(self) -> None:
        """Start a second control plane, which is to wait until it leads."""
        self.context.acts()
        self.context.start_replica()

    def stop_leader(self) -> None:
        """Stop the control plane that was started first."""
        self.context.acts()
        self.context.stop_leader()

    def holder(self) -> str:
        """Return the holder of the Lease of Kueue; empty without one."""
        return str(self._spec().get("holderIdentity") or "")

    def is_led_by(self, holder: str) -> Fact:
        """The Lease has this holder."""
        return Fact(self.holder() == holder, f"the Lease is held by {holder}", f"by {self.holder()}")

    def is_led_by_another(self, holder: str) -> Fact:
        """The Lease has a holder other than this one."""
        present = self.holder()
        return Fact(
            present not in ("", holder), f"the Lease is held by another than {holder}", f"by {present}"
        )

    def _spec(self) -> dict[str, Any]:
        leases = self.client.call("GET", LEASES)["items"]
        ours = [lease for lease in leases if lease["metadata"]["name"].endswith(f".{GROUP}")]
        return dict(ours[0].get("spec") or {}) if ours else {}
