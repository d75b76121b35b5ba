"""Numbers of pods, or shares of them in percent."""

from __future__ import annotations

import re

from ...base.json_types import Json
from ...base.numbers.integers import parse_capped
from ...schema import fields
from . import basics
from .basics import Errors

PERCENT = re.compile(r"[0-9]+%")
PERCENT_TEXT = (
    "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for"
    " validation is '[0-9]+%')"
)
TOO_MUCH = "must not be greater than 100%"


def count_or_percent(value: Json, path: str) -> Errors:
    """Judge a number of pods or a share of them."""
    if isinstance(value, str):
        if not PERCENT.fullmatch(value):
            yield fields.invalid(path, value, PERCENT_TEXT)
    else:
        yield from basics.not_negative(value, path)


def at_most_all(value: Json, path: str) -> Errors:
    """Judge that a share is not more than all."""
    if isinstance(value, str) and PERCENT.fullmatch(value) and parse_capped(value[:-1]) > 100:
        yield fields.invalid(path, value, TOO_MUCH)
