"""Does a loop look for nodes at all?

Not for pods that are very new: their owner may still be making more (PR-117).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .flags import Flags
from .loop_state import LoopState
from .simulation.pod import Pod

VERY_NEW_SECONDS: Final = 2.0


def should_start_for_requests(
    pods: Sequence[Pod], state: LoopState, flags: Flags, current_time: float
) -> bool:
    """Tell whether pods are looked at; those of a request always are (since 1.33)."""
    return bool(state.requested) or _is_worth_it(pods, state, flags, current_time)


def should_start_for_old_pods(
    pods: Sequence[Pod], state: LoopState, flags: Flags, current_time: float
) -> bool:
    """Tell it without a difference between pods: a young request is accepted in one loop and tried in a later
    one (finding N4).
    """
    return _is_worth_it([*pods, *state.requested], state, flags, current_time)


def _is_worth_it(pods: Sequence[Pod], state: LoopState, flags: Flags, current_time: float) -> bool:
    if not pods or 0 < flags.max_nodes_total <= state.cluster.count_ready():
        return False
    return min(pod.created for pod in pods) + VERY_NEW_SECONDS <= current_time
