"""Rules that fill in what a value lacks; the defaults of each group are made of these (FK-465, FK-495)."""

from __future__ import annotations

from collections.abc import Callable

from ..base.json_types import Json

Defaulter = Callable[[Json], Json]


def constants(**values: Json) -> Defaulter:
    """A rule that fills in members that are not there; an empty text is there only where Go has a pointer."""

    def rule(value: Json) -> Json:
        lacking = {name: constant for name, constant in values.items() if value.get(name) is None}
        return {**value, **lacking} if lacking else value

    return rule


def where_empty(**values: Json) -> Defaulter:
    """A rule that fills in absent, zero and empty members."""

    def rule(value: Json) -> Json:
        lacking = {name: constant for name, constant in values.items() if not value.get(name)}
        return {**value, **lacking} if lacking else value

    return rule


def both(*rules: Defaulter) -> Defaulter:
    """Rules one after the other."""

    def rule(value: Json) -> Json:
        for rule in rules:
            value = rule(value)
        return value

    return rule


def drop_fields(*names: str) -> Defaulter:
    """A rule that drops fields whose feature is switched off in a stock server."""

    def rule(value: Json) -> Json:
        return {name: member for name, member in value.items() if name not in names}

    return rule


def with_template_labels(value: Json) -> Json:
    """An object without labels gets those of its pod template;
    for a Job, those generated there, too, once it is stored.
    """
    labels = (value["spec"].get("template") or {}).get("metadata", {}).get("labels")
    if not labels or value["metadata"].get("labels"):
        return value
    return {**value, "metadata": {**value["metadata"], "labels": labels}}
