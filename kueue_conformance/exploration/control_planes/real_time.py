"""Rewrites stories for a real Kueue, which runs in real time and is configured once (pure)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from .acts import CREATES, SETTLE, Act, Verb, act
from .story import Story

_TIME_OPTIONS = frozenset({"limit", "delay", "others", "wait", "longest"})
"""The options that are durations."""
_UNSUPPORTED_VERBS = frozenset({Verb.WAIT, Verb.RESTART, Verb.SETTLE, Verb.REQUEST})
"""The verbs that need virtual time, or leave no stored object."""
_SERVICES = ("webhooks", "provisioning")
"""The services of an installed Kueue, by the words of `configure`."""


def adapt_to_real_time(story: Story) -> Story:
    """Return the story without long delays and changes of the configuration, and with a rest behind each act,
    so that no moment decides.
    """
    return replace(story, acts=(act(Verb.CONFIGURE, feature=_SERVICES[0]), *_acts_with_rests(story)))


def _acts_with_rests(story: Story) -> Iterator[Act]:
    """Yield the acts that are supported, without durations, each with a rest behind it."""
    has_decisions = False
    for story_act in _replace_second_provisioning_checks(story.acts):
        if story_act.verb is Verb.CONFIGURE:
            if story_act.option("feature") in _SERVICES[1:]:
                yield story_act
        elif story_act.verb not in _UNSUPPORTED_VERBS:
            options = tuple(pair for pair in story_act.options if pair[0] not in _TIME_OPTIONS)
            yield replace(story_act, options=options)
            # Before the first Workload nothing is decided, so that a rest shows nothing.
            has_decisions |= story_act.verb is Verb.SUBMIT or story_act.verb not in {*CREATES, Verb.NAMES}
            if has_decisions:
                yield SETTLE


def _replace_second_provisioning_checks(acts: Iterable[Act]) -> Iterator[Act]:
    """Yield the acts with checks of other controllers in place of all but the first provisioning check: of
    two that cannot make their requests Kueue reports either first (PA-156).
    """
    has_provisioning_check = False
    for story_act in acts:
        is_provisioning_check = story_act.verb is Verb.CHECK and bool(story_act.option("config"))
        yield (
            act(Verb.CHECK, story_act.name) if is_provisioning_check and has_provisioning_check else story_act
        )
        has_provisioning_check |= is_provisioning_check
