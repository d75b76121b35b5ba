"""The Job controller as Kubernetes 1.36 has it (FK-459, FK-465…476)."""

from __future__ import annotations

from .controller import JobController

__all__ = ["JobController"]
