"""The webhooks of a cluster: mutating ones, and after validation the validating ones (FK-300).

When a webhook changed the object, plugins and webhooks have a second look at it; there is no third.
"""

from __future__ import annotations

from msgspec.structs import replace

from ...api.admission import Review
from ...api.context import Context
from ...api.steps import Steps
from ...base.json_types import Json
from ...store import Store
from ..plugin_chain import PluginChain
from . import validating
from .authorizer_questions import Decide
from .configurations import MUTATING, VALIDATING, Configurations, is_exempt
from .hooks import Hook
from .matching import size_of_matching
from .mutating import MutatingRound, MutationProgress

Hooks = tuple[Hook, ...]


class Webhooks:
    """Calls webhooks; mutating ones after the plugins."""

    def __init__(self, plugins: PluginChain, store: Store, decide: Decide) -> None:
        self._plugins = plugins
        self._configurations = Configurations(store)
        self._decide = decide

    def mutating(self, review: Review) -> Hooks:
        """Return the mutating webhooks that may be called for a write."""
        return self._hooks(MUTATING, review)

    def validating(self, review: Review) -> Hooks:
        """Return the validating webhooks that may be called for a write."""
        return self._hooks(VALIDATING, review)

    def mutate(self, api: Context, review: Review, hooks: Hooks, new: Json) -> Steps[Json]:
        """Return what webhooks make of an object that the plugins have seen. Raises what refuses it."""
        calls = MutatingRound(api, review, self._decide, size_of_matching(hooks))
        first = yield from calls.run(hooks, MutationProgress(object=new, kind=review.kind))
        if not first.changed:
            return first.object
        second_round = replace(first, second=True)
        new = self._plugins.mutate(api, replace(review, new=second_round.object))
        if new != second_round.object:
            second_round = second_round.with_change(new, second_round.kind)
        final = yield from calls.run(hooks, replace(second_round, object=new))
        return final.object

    def validate(self, api: Context, review: Review, hooks: Hooks) -> Steps[None]:
        """Call the webhooks that match. Raises the first refusal."""
        yield from validating.call(api, hooks, review, self._decide)

    def _hooks(self, resource: tuple[str, str], review: Review) -> Hooks:
        hooks = self._configurations.hooks(resource)
        return () if hooks and is_exempt(review.kind.group, review.kind.plural) else hooks
