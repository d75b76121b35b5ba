"""Stories as a real Kueue can be asked them: in real time, and configured once (pure)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from .acts import CREATES, SETTLE, Act, Verb, act
from .story import Story

_TIMED = frozenset({"limit", "delay", "others", "wait", "longest"})
"""Options that say how long something takes."""
_LEFT_OUT = frozenset({Verb.WAIT, Verb.RESTART, Verb.SETTLE, Verb.REQUEST})
"""Acts that need another time, or of which nothing is stored."""
_SERVED = ("webhooks", "provisioning")
"""What a real Kueue serves as it is installed, by the words of `configure`."""


def in_real_time(story: Story) -> Story:
    """Return the story without what takes longer than a rest, or changes the configuration; behind each act
    everything is at rest, so that no moment decides.
    """
    return replace(story, acts=(act(Verb.CONFIGURE, feature=_SERVED[0]), *_paced(story)))


def _paced(story: Story) -> Iterator[Act]:
    is_begun = False
    for drawn in _with_one_check_of_kueue(story.acts):
        if drawn.verb is Verb.CONFIGURE:
            if drawn.option("feature") in _SERVED[1:]:
                yield drawn
        elif drawn.verb not in _LEFT_OUT:
            yield replace(drawn, options=tuple(pair for pair in drawn.options if pair[0] not in _TIMED))
            # Before the first Workload nothing is decided, so that a rest shows nothing.
            is_begun |= drawn.verb is Verb.SUBMIT or drawn.verb not in {*CREATES, Verb.NAMES}
            if is_begun:
                yield SETTLE


def _with_one_check_of_kueue(acts: Iterable[Act]) -> Iterator[Act]:
    """Yield the acts with checks of other controllers in place of all but the first of Kueue's own: of two
    that cannot make their requests either is told of first (PA-156).
    """
    is_there = False
    for drawn in acts:
        is_own = drawn.verb is Verb.CHECK and bool(drawn.option("config"))
        yield act(Verb.CHECK, drawn.name) if is_own and is_there else drawn
        is_there |= is_own
