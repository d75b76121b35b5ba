"""A run of cases: the parts that they share, the context that each is lent, and what a case needs that a run has not."""

from __future__ import annotations

from .parts import run_uid
from .programs import CaseControlPlane
from .run import Run

__all__ = ["CaseControlPlane", "Run", "run_uid"]
