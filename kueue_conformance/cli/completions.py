"""What a shell offers for a value: the words of an option, or the ids of scenarios; after a comma the next
word of a list.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import click
from click.shell_completion import CompletionItem

from ..base.cluster_options import KEEP
from ..options import Option
from ..options.values import BACKENDS, CASES, EVIDENCE, STORIES
from ..scenarios import dialect
from ..scenarios.capability import PROFILES, Capability
from ..scenarios.outcome import Level

Complete = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]
Words = Callable[[], Mapping[str, str]]
"""Words with what they mean, which some shells show; read when a shell asks, and not at each start."""


def scenario_ids() -> Mapping[str, str]:
    """Return the scenarios with their titles."""
    from ..catalogue.inventory import inventory

    return {name: scenario.title for name, scenario in inventory().items()}


def _dialects() -> Mapping[str, str]:
    return {
        **{name: f"{known.family} {known.version}" for name, known in dialect.every().items()},
        "all": "every one",
    }


def _profiles() -> Mapping[str, str]:
    return {name: f"judges: {profile.judges}" for name, profile in PROFILES.items()}


def words_of(*words: str) -> Words:
    """Return words that need no explanation."""
    return lambda: dict.fromkeys(words, "")


WORDS: Mapping[str, Words] = {
    "backend": words_of(*BACKENDS),
    "capability": words_of(*map(str, Capability)),
    "cases": words_of(*CASES),
    "control-plane": words_of("reference", "reference:deployed", "scripted", "upstream", "upstream:"),
    "dialect": _dialects,
    "evidence": words_of(*EVIDENCE),
    "exclude": scenario_ids,
    "keep": words_of(*KEEP),
    "level": words_of(*map(str, Level)),
    "profile": _profiles,
    "select": scenario_ids,
    "stories": words_of(*STORIES),
    "upgrade-from": _dialects,
}
"""The words for options, by key."""
_FILES: Mapping[str, str] = {
    "expectations": "file",
    "kind-config": "file",
    "kind-load": "file",
    "report-dir": "dir",
    "shard-costs": "file",
    "subject-file": "file",
}


def of_option(option: Option) -> Complete | None:
    """Return the completion of an option of runs; None where nothing is known of its value."""
    if option.key in _FILES:
        return paths(_FILES[option.key])
    return one_of(WORDS[option.key], is_list=option.is_list) if option.key in WORDS else None


def one_of(words: Words, *, is_list: bool = False) -> Complete:
    """Return a completion by words; of a list the last word is completed."""

    def complete(_context: click.Context, _parameter: click.Parameter, text: str) -> list[CompletionItem]:
        before, comma, last = text.rpartition(",") if is_list else ("", "", text)
        taken = set(before.split(","))
        return [
            CompletionItem(f"{before}{comma}{word}", help=meaning)
            for word, meaning in words().items()
            if word.startswith(last) and word not in taken
        ]

    return complete


def paths(kind: str = "file") -> Complete:
    """Return a completion by the files of the shell, or its folders (`dir`)."""

    def complete(_context: click.Context, _parameter: click.Parameter, text: str) -> list[CompletionItem]:
        return [CompletionItem(text, type=kind)]

    return complete
