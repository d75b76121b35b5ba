"""Which stories of a control plane are interrupted, and by what (pure)."""

from __future__ import annotations

from collections.abc import Sequence

from ..interruptions import plan
from ..perturbation import Perturbation
from .drawing.emphasis_table import EMPHASES
from .story import Story


def choose(story: Story, writes: Sequence[int], seed: int, most: int) -> Sequence[Perturbation]:
    """Return the perturbations of the story of a seed: of every third one.

    Another story shows more than the same one with an interruption, so that fewer are interrupted. Of each
    emphasis every third story is.
    """
    is_chosen = (seed + seed // len(EMPHASES)) % 3 == 0
    return plan(story.acts, writes, seed, most) if is_chosen else ()
