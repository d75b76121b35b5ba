"""Admission as a whole: plugins, mutating webhooks, and after validation the validating ones (FK-300).

When a webhook changed the object, plugins and webhooks have a second look at it; there is no third.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from ...api import status
from ...api.admission import Admission, Proceed, Review
from ...api.context import Context
from ...api.outcome import Outcome
from ...conversion.steps import attempt
from ...store import Store
from . import validating
from .access import Decide
from .configurations import MUTATING, VALIDATING, Configurations, is_exempt
from .hooks import Hook
from .mutating import Asking, Progress
from .versions import views

Json = Any


class Webhooks:
    """Admission that asks webhooks after the inner one has had its say."""

    def __init__(self, inner: Admission, store: Store, decide: Decide) -> None:
        self._inner = inner
        self._configurations = Configurations(store)
        self._decide = decide

    def mutate(self, api: Context, review: Review, proceed: Proceed) -> Outcome:
        """Go on with what plugins and webhooks make of an object. Raises what refuses it."""
        hooks = self._hooks(MUTATING, review)
        if not hooks:
            return self._inner.mutate(api, review, proceed)

        def second(first: Progress) -> Outcome:
            if not first.changed:
                return proceed(first.object)
            again = replace(first, second=True)
            return self._round(api, review, hooks, again, lambda final: proceed(final.object))

        return self._round(api, review, hooks, Progress(object=review.new, kind=review.kind), second)

    def _round(
        self,
        api: Context,
        review: Review,
        hooks: tuple[Hook, ...],
        progress: Progress,
        then: Callable[[Progress], Outcome],
    ) -> Outcome:
        def plugged(new: Json) -> Outcome:
            here = replace(progress, object=new)
            if progress.second and new != progress.object:
                here = progress.with_change(new, progress.kind)
            return Asking(api, review, self._decide, then).run(hooks, here)

        return self._inner.mutate(api, replace(review, new=progress.object), plugged)

    def validate(self, api: Context, review: Review, proceed: Callable[[], Outcome]) -> Outcome:
        """Go on when no validating webhook refuses."""
        hooks = self._hooks(VALIDATING, review)
        if not hooks:
            return self._inner.validate(api, review, proceed)
        seen = views(review)
        return self._inner.validate(
            api,
            review,
            lambda: attempt(
                api.services,
                lambda: validating.ask(api, hooks, review, seen, self._decide, proceed),
                status.internal,
            ),
        )

    def _hooks(self, resource: tuple[str, str], review: Review) -> tuple[Hook, ...]:
        hooks = self._configurations.hooks(resource)
        return () if hooks and is_exempt(review.kind.group, review.kind.plural) else hooks
