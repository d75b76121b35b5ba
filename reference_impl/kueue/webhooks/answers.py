"""The functions behind each webhook path, for a server or for a process without one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from ...api.conversion import convert
from ...api.crds.definitions import DEFINITIONS
from ...api.known_releases import version_of
from ...api.resource import Json
from .registration import CONVERT, hooks_of
from .reviews import Reviewer

Answer = Callable[[Json], Json]
Convert = Callable[[Json, str], Json]
"""(object, apiVersion) → the object in that version."""


def answers(reviewer: Reviewer) -> Mapping[str, Answer]:
    """Return the functions by path."""
    hooks = hooks_of(version_of(reviewer.dialect))
    return {
        CONVERT: reviewer.convert,
        **{hook.path("validate"): partial(reviewer.validate, hook) for hook in hooks},
        **{hook.path("mutate"): partial(reviewer.mutate, hook) for hook in hooks if hook.default},
    }


def converters(dialect: str) -> Mapping[str, Convert]:
    """Return the converters by CustomResourceDefinition,
    for a server that needs no ConversionReview for that.
    """
    convert_in_dialect = partial(convert, dialect=dialect)
    return {
        f"{row.resource.plural}.{row.resource.group}": convert_in_dialect
        for row in DEFINITIONS
        if row.converts
    }
