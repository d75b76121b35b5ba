"""What carries acts out, and the word for an act that could not be done."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..acts import Act, Verb

NOTHING_TO_DO = object()
"""Returned where an act cannot be done now."""
CarryOut = Mapping[Verb, Callable[[Act], object]]
"""What carries an act out, by its verb."""
