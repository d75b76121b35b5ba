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
from . import failures, notes, patches, responses, review_calls
from .authorizer_questions import Decide
from .converted_objects import ConvertedObject, views
from .failures import CallFailed
from .hooks import Hook
from .matching import Invocation, ViewOf, invocation
from .review_calls import ReviewCall

T = TypeVar("T")
Hooks = Sequence[Hook]


class MutationProgress(Struct, frozen=True, kw_only=True):
    """How far the webhooks have come with an object,
    which stands in the version that the last change was made in.
    """

    object: Json
    kind: Kind
    second: bool = False
    """Whether this is the round in which webhooks are asked once more."""
    changed: bool = False
    called: frozenset[str] = frozenset()
    """Webhooks that were asked since the last change and want to hear of the next."""
    to_call_again: frozenset[str] = frozenset()
    """Webhooks that are to be asked once more."""

    def with_change(self, obj: Json, kind: Kind) -> MutationProgress:
        """Return the progress after a change."""
        return replace(
            self,
            object=obj,
            kind=kind,
            changed=True,
            to_call_again=self.to_call_again | self.called,
            called=frozenset(),
        )

    def after(self, hook: Hook) -> MutationProgress:
        """Return the progress after a webhook was asked."""
        return replace(self, called=self.called | {hook.uid}) if hook.reinvoked else self


class MutatingRound(Struct, frozen=True):
    """A round of webhooks over one write."""

    api: Context
    review: Review
    decide: Decide
    size: int = 0
    """As how many bytes the matching of all webhooks counts."""

    def run(self, hooks: Hooks, progress: MutationProgress) -> Steps[MutationProgress]:
        """Call one after the other those that match. Raises what refuses the write."""
        view_of = self._view(progress)
        for hook in hooks:
            # In the second round only those with the reinvocationPolicy IfNeeded are called, and only when
            # something has changed since they were.
            if progress.second and hook.uid not in progress.to_call_again:
                continue
            matched = yield from self._convert(partial(self._invocation, hook, progress, view_of))
            if matched is not None:
                progress = yield from self._call(matched, progress, view_of)
                view_of = self._view(progress)
        final, _ = yield from self._convert(partial(view_of, self.review.kind))
        return replace(progress, object=final, kind=self.review.kind)

    def _view(self, progress: MutationProgress) -> ViewOf:
        return views(
            ConvertedObject(progress.kind, progress.object),
            ConvertedObject(self.review.kind, self.review.old),
        )

    def _invocation(self, hook: Hook, progress: MutationProgress, view_of: ViewOf) -> Invocation | None:
        return invocation(self.api, hook, replace(self.review, new=progress.object), view_of, self.decide)

    def _convert(self, compute: Callable[[], T]) -> Steps[T]:
        take = partial(in_turn, self.size)
        return on_demand.with_conversions(self.api.services, compute, failures.unconvertible_twice, take)

    def _call(self, call: Invocation, progress: MutationProgress, view_of: ViewOf) -> Steps[MutationProgress]:
        """Return the progress after a webhook was called. Raises its refusal."""
        shown, _ = yield from self._convert(partial(view_of, call.kind))
        try:
            review_call = review_calls.of(self.api, call, replace(self.review, new=progress.object), view_of)
        except CallFailed as failure:
            return self._fail(call.hook, failure, progress)
        (result,) = yield (review_call.call,)
        learned = partial(self._apply_answer, call, review_call, shown, result, progress)
        return (yield from in_turn(len(result.body), learned))

    def _apply_answer(
        self,
        call: Invocation,
        review_call: ReviewCall,
        shown: Json,
        result: CallResult,
        progress: MutationProgress,
    ) -> MutationProgress:
        """Return the progress after an answer. Raises the refusal of the webhook."""
        hook = call.hook
        try:
            answer = responses.of(hook, review_call.uid, result, mutating=True)
            changes = patches.operations(answer) if answer.allowed else []
        except CallFailed as failure:
            return self._fail(hook, failure, progress)
        notes.note_answer(self.review.trace, hook, answer, result)
        if not answer.allowed:
            raise failures.denial(hook.name, answer.status)
        if changes:
            patched_object = patches.apply_patch(self.api, hook, call.kind, shown, changes)
            progress = (
                progress.with_change(patched_object, call.kind) if patched_object != shown else progress
            )
        return progress.after(hook)

    def _fail(self, hook: Hook, failure: CallFailed, progress: MutationProgress) -> MutationProgress:
        notes.note_failure(self.review.trace, hook, failure)
        if not hook.ignores_failure:
            raise failures.calling(hook.name, failure) from failure
        return progress.after(hook)
