"""What the answer to a request is made with, in every dialect."""

from __future__ import annotations

from dataclasses import dataclass

from reference_impl.runtime.clock import Clock

from .flags import Flags
from .requests.attempts import ScaleUpAttempts
from .requests.request_cache import RequestCache
from .requests.retries import RequestBackoff
from .scale_up import ScaleUpOrchestrator


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerServices:
    """What it takes to answer a request."""

    flags: Flags
    clock: Clock
    requests: RequestCache
    retries: RequestBackoff
    attempts: ScaleUpAttempts
    scale_up: ScaleUpOrchestrator
