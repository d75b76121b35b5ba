"""Mutating webhooks: asked one after the other, each sees what the one before made of the object (FK-302, FK-308).

When a webhook changed the object, everybody who was asked before it and wants to hear of changes is asked once more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ...api.admission import Review
from ...api.context import Context
from ...api.kind import Kind
from ...api.outcome import CallResult, Outcome, Pending
from ...conversion.steps import attempt
from . import answers, calls, failures, notes, patches
from .access import Decide
from .calls import Asked
from .failures import CallFailed
from .hooks import Hook
from .matching import Invocation, invocation
from .versions import View

Json = Any
Hooks = Sequence[Hook]


class Progress(Struct, frozen=True, kw_only=True):
    """How far the webhooks have come with an object, which stands in the version that the last change was made in."""

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


Then = Callable[[Progress], Outcome]


class Asking(Struct, frozen=True):
    """A round of webhooks over one write."""

    api: Context
    review: Review
    decide: Decide
    then: Then

    def run(self, hooks: Hooks, progress: Progress) -> Outcome:
        """Ask the first webhook that matches, then the rest; go on when there is none left."""
        new = View(progress.kind, progress.object)
        old = View(self.review.kind, self.review.old)
        return attempt(
            self.api.services, lambda: self._next(hooks, progress, new, old), failures.unconvertible_twice
        )

    def _next(self, hooks: Hooks, progress: Progress, new: View, old: View) -> Outcome:
        review = replace(self.review, new=progress.object)
        for place, hook in enumerate(hooks):
            if progress.second and hook.uid not in progress.again:
                continue
            found = invocation(
                self.api, hook, review, lambda kind: (new.as_(kind), old.as_(kind)), self.decide
            )
            if found is not None:
                return self._ask(found, hooks[place + 1 :], progress, new, old)
        final = new.as_(self.review.kind)
        return self.then(replace(progress, object=final, kind=self.review.kind))

    def _ask(self, one: Invocation, left: Hooks, progress: Progress, new: View, old: View) -> Outcome:
        review = replace(self.review, new=progress.object)
        shown = new.as_(one.kind)
        try:
            asked = calls.of(self.api, one, review, lambda kind: (new.as_(kind), old.as_(kind)))
        except CallFailed as failure:
            return self.run(left, self._failed(one.hook, failure, progress))
        return Pending.on(
            asked.call, lambda result: self.run(left, self._learned(one, asked, shown, result, progress))
        )

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
