"""Paths inside volumes and containers (FK-504)."""

from __future__ import annotations

from .....schema import fields
from ....validation.basics import Errors

PARENT_FOLDER = ".."


def no_backsteps(value: str, path: str) -> Errors:
    """Judge that a path has no `..`."""
    # As a part of the path: `a..b` is a name like any other.
    if PARENT_FOLDER in value.split("/"):
        yield fields.invalid(path, value, "must not contain '..'")


def descending(value: str, path: str) -> Errors:
    """Judge that a path leads down from where it starts."""
    if value.startswith("/"):
        yield fields.invalid(path, value, "must be a relative path")
    yield from no_backsteps(value, path)


def below(value: str, path: str) -> Errors:
    """Judge the place of a file inside a volume."""
    yield from descending(value, path)
    # `..foo` begins with the two dots without being a backstep, and the atomic writer of volumes uses such
    # names.
    if value.startswith(PARENT_FOLDER) and not value.startswith(PARENT_FOLDER + "/"):
        yield fields.invalid(path, value, "must not start with '..'")
