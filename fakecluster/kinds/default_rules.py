"""Rules that fill in what a value lacks; the defaults of each group are made of these (FK-465, FK-495)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Json = Any
Defaulter = Callable[[Json], Json]


def constants(**values: Json) -> Defaulter:
    """A rule that fills in members that are not there."""

    def rule(value: Json) -> Json:
        lacking = {name: constant for name, constant in values.items() if value.get(name) in (None, "")}
        return {**value, **lacking} if lacking else value

    return rule


def counts(**values: int) -> Defaulter:
    """A rule that fills in numbers that are zero."""

    def rule(value: Json) -> Json:
        lacking = {name: number for name, number in values.items() if not value.get(name)}
        return {**value, **lacking} if lacking else value

    return rule


def both(*rules: Defaulter) -> Defaulter:
    """Rules one after the other."""

    def rule(value: Json) -> Json:
        for one in rules:
            value = one(value)
        return value

    return rule


def without(*names: str) -> Defaulter:
    """A rule that drops fields whose feature is switched off in a stock server."""

    def rule(value: Json) -> Json:
        return {name: member for name, member in value.items() if name not in names}

    return rule


def labelled(value: Json) -> Json:
    """An object without labels gets those of its pod template; for a Job, those generated there, too, once it
    is stored.
    """
    labels = (value["spec"].get("template") or {}).get("metadata", {}).get("labels")
    if not labels or value["metadata"].get("labels"):
        return value
    return {**value, "metadata": {**value["metadata"], "labels": labels}}
