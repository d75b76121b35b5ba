"""The enabled plugins of a cluster, by what they concern (FK-300)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cache
from typing import Any, TypeAlias, TypeVar

from ..api.admission import Operation, Review
from ..api.context import Context
from ..base.json_types import Json
from .plugins.plugin import EVERYTHING, WRITES, Mutate, Plugin, Target, Validate
from .plugins.table import PLUGINS

Function = TypeVar("Function", bound=Callable[..., Any])
Index: TypeAlias = Mapping[Operation, Mapping[Target, tuple[Function, ...]]]


class PluginChain:
    """Asks the plugins that concern a write, in order.

    disabled: names of plugins as in `--disable-admission-plugins`; they are passed over.
    """

    def __init__(self, disabled: Collection[str] = ()) -> None:
        self._mutating, self._validating = _indexes(frozenset(disabled))

    def mutate(self, api: Context, review: Review) -> Json:
        """Return what the plugins make of the object of a write. Raises 403, 404."""
        new = review.new
        if new is not None:
            for mutate in _functions_for(self._mutating, review):
                new = mutate(api, review, new)
        return new

    def validate(self, api: Context, review: Review) -> None:
        """Check what the plugins have against a write. Raises 403."""
        if review.new is not None:
            for validate in _functions_for(self._validating, review):
                validate(api, review)


@cache
def _indexes(disabled: frozenset[str]) -> tuple[Index[Mutate], Index[Validate]]:
    enabled = [plugin for plugin in PLUGINS if plugin.name not in disabled]
    return _index_by_target(enabled, lambda plugin: plugin.mutates), _index_by_target(
        enabled, lambda plugin: plugin.validates
    )


def _index_by_target(
    plugins: list[Plugin], rows: Callable[[Plugin], Mapping[Target, Function]]
) -> Index[Function]:
    targets = {EVERYTHING, *(target for plugin in plugins for target in rows(plugin))}
    return {
        operation: {
            target: tuple(
                function
                for plugin in plugins
                if operation in plugin.operations
                for concerned, function in rows(plugin).items()
                if concerned in {target, EVERYTHING}
            )
            for target in targets
        }
        for operation in WRITES
    }


def _functions_for(index: Index[Function], review: Review) -> tuple[Function, ...]:
    targets = index.get(review.operation)
    if targets is None:
        return ()
    kind = review.kind
    return targets.get((kind.group, kind.plural, review.subresource)) or targets[EVERYTHING]
