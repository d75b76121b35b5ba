"""Placeholders such as `${workload}` in the commands, URLs, manifests and labels of a subject file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ..base.json_types import Json

_PLACE = re.compile(r"\$\{([^}]*)\}")


def replace_words(template: Json, words: Mapping[str, str]) -> Json:
    """Return a text, list or mapping with the places of some words filled; other places stay."""
    if isinstance(template, str):
        # In one pass: a message that holds a placeholder is not filled in again.
        return _PLACE.sub(lambda match: words.get(match[1], match[0]), template)
    # Keys too: the name of a label may hold the Workload.
    if isinstance(template, Mapping):
        return {replace_words(key, words): replace_words(value, words) for key, value in template.items()}
    if isinstance(template, list | tuple):
        return [replace_words(item, words) for item in template]
    return template


def replace_values(template: Json, values: Mapping[str, str | int]) -> Json:
    """Return a text, list or mapping with the places of some words filled; a text that is nothing but a place
    becomes the value itself, such as a number.
    """
    if isinstance(template, str):
        whole = _PLACE.fullmatch(template)
        if whole and whole[1] in values:
            return values[whole[1]]
        return replace_words(template, {name: str(value) for name, value in values.items()})
    if isinstance(template, Mapping):
        return {key: replace_values(value, values) for key, value in template.items()}
    if isinstance(template, list | tuple):
        return [replace_values(item, values) for item in template]
    return template


def placeholders_in(template: Json) -> frozenset[str]:
    """Return the words that have a place in a text, list or mapping."""
    return frozenset(_find_placeholders(template))


def _find_placeholders(template: Json) -> Iterator[str]:
    if isinstance(template, str):
        yield from _PLACE.findall(template)
    elif isinstance(template, Mapping):
        for key, value in template.items():
            yield from _find_placeholders(key)
            yield from _find_placeholders(value)
    elif isinstance(template, list | tuple):
        for item in template:
            yield from _find_placeholders(item)
