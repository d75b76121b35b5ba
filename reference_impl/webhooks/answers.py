"""Who answers what is sent to each path of the webhooks: a server asks them, or a process that has no need of one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from ..api.conversion import converted
from ..api.crds import EDITIONS
from ..api.crds.definitions import DEFINITIONS
from ..api.resource import Json
from .registration import CONVERT, hooks_of
from .reviews import Reviewer

Answer = Callable[[Json], Json]
Convert = Callable[[Json, str], Json]
"""(object, apiVersion) → the object in that version."""


def answers(reviewer: Reviewer) -> Mapping[str, Answer]:
    """Return who answers what is sent to each path."""
    hooks = hooks_of(EDITIONS[reviewer.dialect].release)
    return {
        CONVERT: reviewer.convert,
        **{hook.path("validate"): partial(reviewer.validate, hook) for hook in hooks},
        **{hook.path("mutate"): partial(reviewer.mutate, hook) for hook in hooks if hook.default},
    }


def converters(dialect: str) -> Mapping[str, Convert]:
    """Return who converts the objects of each definition, for a server that needs no ConversionReview for that."""
    convert = partial(converted, dialect=dialect)
    return {f"{row.resource.plural}.{row.resource.group}": convert for row in DEFINITIONS if row.converts}
