"""A run of cases: shared parts, the context that is lent to each case, and missing features."""

from __future__ import annotations

from .components import run_uid
from .programs import CaseControlPlane
from .run import Run

__all__ = ["CaseControlPlane", "Run", "run_uid"]
