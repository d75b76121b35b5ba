"""The functions behind each webhook path, for a server or for a process without one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from ...api.conversion import convert
from ...api.crds.definitions import DEFINITIONS
from ...api.known_releases import version_of
from ...api.releases import Release, Row, by_release
from ...api.resource import Json
from .registration import CONVERT, hooks_of
from .reviews import Reviewer

Answer = Callable[[Json], Json]
Convert = Callable[[Json, str], Json]
"""(object, apiVersion) → the object in that version."""

SERVES_CONVERSION: Final = by_release(
    Row("AC-005", (0, 6), value=True),
    Row("KV-32", ("0.20.0",), value=False),
    Row("KV-32", ("0.20.6",), value=True),
)
"""Whether the conversion is served that definitions name: for some patches it was not, and objects that are
stored in v1beta1 could not be read.
"""


def answers(reviewer: Reviewer) -> Mapping[str, Answer]:
    """Return the functions by path."""
    release = version_of(reviewer.dialect)
    hooks = hooks_of(release)
    return {
        **({CONVERT: reviewer.convert} if Release(release).value(SERVES_CONVERSION) else {}),
        **{hook.path("validate"): partial(reviewer.validate, hook) for hook in hooks},
        **{hook.path("mutate"): partial(reviewer.mutate, hook) for hook in hooks if hook.default},
    }


def converters(dialect: str) -> Mapping[str, Convert]:
    """Return the converters by CustomResourceDefinition,
    for a server that needs no ConversionReview for that.
    """
    if not Release(version_of(dialect)).value(SERVES_CONVERSION):
        return {}
    convert_in_dialect = partial(convert, dialect=dialect)
    return {
        f"{row.resource.plural}.{row.resource.group}": convert_in_dialect
        for row in DEFINITIONS
        if row.converts
    }
