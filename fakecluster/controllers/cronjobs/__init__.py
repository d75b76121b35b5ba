"""The CronJob controller as Kubernetes 1.36 has it (FK-464)."""

from __future__ import annotations

from .controller import CronJobController

__all__ = ["CronJobController"]
