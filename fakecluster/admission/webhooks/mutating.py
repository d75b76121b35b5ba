"""Mutating webhooks: called one after the other,
each sees what the one before made of the object (FK-302, FK-308).

When a webhook changed the object, those called before it
whose reinvocationPolicy is IfNeeded are called once more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from ...api.admission import Review
from ...api.context import Context
from ...api.kind import Kind
from ...api.outcome import CallResult
from ...api.steps import Steps, in_turn
from ...base.json_types import Json
from ...conversion import on_demand
from . import answers, failures, notes, patches, review_calls
from .authorizer_questions import Decide
from .converted_objects import View, views
from .failures import CallFailed
from .hooks import Hook
from .matching import Invocation, Seen, invocation
from .review_calls import Asked

T = TypeVar("T")
Hooks = Sequence[Hook]


class Progress(Struct, frozen=True, kw_only=True):
    """How far the webhooks have come with an object,
    which stands in the version that the last change was made in.
    """

    object: Json
    kind: Kind
    second: bool = False
    """Whether this is the round in which webhooks are asked once more."""
    changed: bool = False
    asked: frozenset[str] = frozenset()
    """Webhooks that were asked since the last change and want to hear of the next."""
    again: frozenset[str] = frozenset()
    """Webhooks that are to be asked once more."""

    def with_change(self, obj: Json, kind: Kind) -> Progress:
        """Return the progress after a change."""
        return replace(
            self, object=obj, kind=kind, changed=True, again=self.again | self.asked, asked=frozenset()
        )

    def after(self, hook: Hook) -> Progress:
        """Return the progress after a webhook was asked."""
        return replace(self, asked=self.asked | {hook.uid}) if hook.reinvoked else self


class Round(Struct, frozen=True):
    """A round of webhooks over one write."""

    api: Context
    review: Review
    decide: Decide
    size: int = 0
    """As how many bytes the matching of all webhooks counts."""

    def run(self, hooks: Hooks, progress: Progress) -> Steps[Progress]:
        """Call one after the other those that match. Raises what refuses the write."""
        seen = self._seen(progress)
        for hook in hooks:
            if progress.second and hook.uid not in progress.again:
                continue
            found = yield from self._converted(partial(self._invocation, hook, progress, seen))
            if found is not None:
                progress = yield from self._call(found, progress, seen)
                seen = self._seen(progress)
        final, _ = yield from self._converted(partial(seen, self.review.kind))
        return replace(progress, object=final, kind=self.review.kind)

    def _seen(self, progress: Progress) -> Seen:
        return views(View(progress.kind, progress.object), View(self.review.kind, self.review.old))

    def _invocation(self, hook: Hook, progress: Progress, seen: Seen) -> Invocation | None:
        return invocation(self.api, hook, replace(self.review, new=progress.object), seen, self.decide)

    def _converted(self, compute: Callable[[], T]) -> Steps[T]:
        take = partial(in_turn, self.size)
        return on_demand.with_conversions(self.api.services, compute, failures.unconvertible_twice, take)

    def _call(self, one: Invocation, progress: Progress, seen: Seen) -> Steps[Progress]:
        """Return the progress after a webhook was called. Raises its refusal."""
        shown, _ = yield from self._converted(partial(seen, one.kind))
        try:
            asked = review_calls.of(self.api, one, replace(self.review, new=progress.object), seen)
        except CallFailed as failure:
            return self._failed(one.hook, failure, progress)
        (result,) = yield (asked.call,)
        learned = partial(self._learned, one, asked, shown, result, progress)
        return (yield from in_turn(len(result.body), learned))

    def _learned(
        self, one: Invocation, asked: Asked, shown: Json, result: CallResult, progress: Progress
    ) -> Progress:
        """Return the progress after an answer. Raises the refusal of the webhook."""
        hook = one.hook
        try:
            answer = answers.of(hook, asked.uid, result, mutating=True)
            changes = patches.operations(answer) if answer.allowed else []
        except CallFailed as failure:
            return self._failed(hook, failure, progress)
        notes.answered(self.review.trace, hook, answer, result)
        if not answer.allowed:
            raise failures.denied(hook.name, answer.status)
        if changes:
            made = patches.patched(self.api, hook, one.kind, shown, changes)
            progress = progress.with_change(made, one.kind) if made != shown else progress
        return progress.after(hook)

    def _failed(self, hook: Hook, failure: CallFailed, progress: Progress) -> Progress:
        notes.failed(self.review.trace, hook, failure)
        if not hook.ignores_failure:
            raise failures.calling(hook.name, failure) from failure
        return progress.after(hook)
