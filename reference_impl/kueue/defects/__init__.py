"""Defects of v0.19.2 that the reference shows on purpose, each with what replaces it (design.md §8).

`--without-defects` puts the replacement wherever a dialect has the defective member: as a member of its rules
or within an order. A module holds the defects of one subject.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

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
    """Return a dialect by its name, with its defects or without; raises KeyError for an unknown one."""
    dialect_ = dialects.dialect(name)
    return dialect_ if defects else without(dialect_)


def without(dialect: Dialect, defects: tuple[Defect, ...] = DEFECTS) -> Dialect:
    """Return the dialect with every defect corrected."""
    for defect in defects:
        part, member = defect.member.split(".")
        rules = getattr(dialect, part)
        corrected = replace(rules, **{member: defect.correct(getattr(rules, member))})
        dialect = replace(dialect, **{part: corrected})
    return dialect
