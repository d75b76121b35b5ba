"""Defects of v0.19.2 that the reference shows on purpose, each with what replaces it (design.md §8).

`--without-defects` puts the replacement wherever a dialect has the defective member: as a member of its rules
or within an order. A module holds the defects of one subject.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from ...api.releases import Version, has_change
from .. import dialects
from ..dialects.rules import Dialect
from . import jobs, provisioning_checks, provisioning_requests, queueing, scheduling, visibility, workloads
from .defect import Defect

DEFECTS: Final = (
    *workloads.DEFECTS,
    *jobs.DEFECTS,
    *queueing.DEFECTS,
    *scheduling.DEFECTS,
    *provisioning_checks.DEFECTS,
    *provisioning_requests.DEFECTS,
    *visibility.DEFECTS,
)


def find(name: str, *, defects: bool = True) -> Dialect:
    """Return a dialect by its name, with the defects that its release has, or without any; raises
    UnknownDialectError.
    """
    dialect_ = dialects.dialect(name)
    return without(dialect_, tuple(defects_fixed_by(dialect_.version)) if defects else DEFECTS)


def defects_of(name: str) -> tuple[Defect, ...]:
    """Return the defects that a dialect shows, those that no release has fixed first; raises
    UnknownDialectError.
    """
    dialect_ = find(name)
    shown = [defect for defect in DEFECTS if defect.is_in(dialect_)]
    return tuple(sorted(shown, key=lambda defect: bool(defect.fixed_in)))


def defects_fixed_by(version: Version) -> Iterator[Defect]:
    """Return the defects that a release no longer has."""
    return (defect for defect in DEFECTS if defect.fixed_in and has_change(version, defect.fixed_in))


def without(dialect: Dialect, defects: tuple[Defect, ...] = DEFECTS) -> Dialect:
    """Return the dialect with every defect corrected."""
    for defect in defects:
        part, member = defect.member.split(".")
        rules = replace(getattr(dialect, part), **{member: defect.correct(defect.value_in(dialect))})
        dialect = replace(dialect, **{part: rules})
    return dialect
