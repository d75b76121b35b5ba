"""The value of a single option: lists, names and numbers out of what was given."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.errors import UsageError, unknown
from ..base.numbers import real, whole
from ..scenarios import capability, dialect, feature_gates
from ..scenarios.outcome import Level
from ..scenarios.scenario import normal

BACKENDS = ("fake", "envtest", "kind", "kubeconfig:")
EVIDENCE = ("all", "failed", "none")
STORIES = ("failed", "all")
"""Whose story the page of a report shows."""
CASES = ("all", "each", "shared")
"""How cases are chosen for the older of several dialects."""
SCALES = (0.01, 100.0)
"""The least and the greatest factor of waits."""
_TURNS = 10_000


def words_of(text: str) -> tuple[str, ...]:
    """Split a comma-separated list."""
    return tuple(word.strip() for word in text.split(",") if word.strip())


def patterns_of(text: str) -> tuple[str, ...]:
    """Split a comma-separated list of patterns, normalised to the form of ids."""
    return tuple(map(normal, words_of(text)))


def profiles(text: str) -> tuple[str, ...]:
    """Return the named profiles, each once. Raises UsageError."""
    names = tuple(dict.fromkeys(word.upper() for word in words_of(text)))
    for name in names:
        if name not in capability.PROFILES:
            raise unknown("profile", name, capability.PROFILES)
    return names


def levels(text: str) -> frozenset[Level]:
    """Return the named levels, by default all."""
    words = tuple(word.lower() for word in words_of(text))
    for word in words:
        if word not in set(Level):
            raise unknown("level", word, list(map(str, Level)))
    return frozenset(map(Level, words or Level))


def dialects(text: str, profiles: Sequence[str]) -> tuple[dialect.Dialect, ...]:
    """Return the dialects that were named, and the default of
    each family that a profile speaks and of which none was.
    """
    families = tuple(dict.fromkeys(capability.PROFILES[name].speaks for name in profiles)) or ("Kueue",)
    chosen = dialect.select(text, families) if text else ()
    return tuple(dialect.complete_with_defaults(chosen, sorted(families)))


def with_gates(text: str, chosen: Sequence[dialect.Dialect]) -> tuple[dialect.Dialect, ...]:
    """Return the dialects with the feature gates of a text. Raises UsageError for a gate that one lacks."""
    gates = feature_gates.read_gates(text)
    feature_gates.check_gate_names(gates)
    for spoken in chosen:
        if spoken.family == "Kueue":
            feature_gates.check_gates(gates, spoken.stands_on, spoken.name)
    return tuple(spoken.with_gates(gates) for spoken in chosen)


def is_real(control_plane: str) -> bool:
    """Tell whether a text names a real Kueue."""
    return control_plane.partition(":")[0] == "upstream"


def former_control_plane(upgrade_from: str, control_plane: str) -> str:
    """Return the control plane of the release that was named; empty where the one that is judged plays it."""
    if is_real(upgrade_from):
        return upgrade_from
    return "reference" if upgrade_from and is_real(control_plane) else ""


def upgrade_from(text: str) -> dialect.Dialect | None:
    """Return the one release that was named; None without a text, and for a real Kueue, which says its
    release when it starts. Raises UsageError.
    """
    chosen = dialect.select(text) if text and not is_real(text) else ()
    if len(chosen) > 1 or not all(release.is_release for release in chosen):
        raise UsageError(
            f"--upgrade-from {text!r} is not one release of Kueue", hint="for example --upgrade-from 0.19.2"
        )
    return chosen[0] if chosen else None


def backend(text: str) -> str:
    """Return a backend of a known sort. Raises UsageError."""
    kind = text.partition(":")[0]
    if kind not in {backend.rstrip(":") for backend in BACKENDS}:
        raise unknown("backend", text, ["fake", "envtest", "kind", "kubeconfig:PATH"])
    return text


def one_of(key: str, word: str, words: Sequence[str]) -> str:
    """Return a word that has to be one of some. Raises UsageError."""
    if word not in words:
        raise unknown(f"value of --{key}", word, words)
    return word


def repeat(text: str) -> int:
    """Return how often each case is run. Raises UsageError."""
    turns = whole(text)
    if turns is None or not 1 <= turns <= _TURNS:
        raise UsageError(
            f"--repeat is {text!r}, expected a number of turns from 1 to {_TURNS}",
            hint="for example --repeat 20",
        )
    return turns


def seed(text: str) -> int:
    """Return the seed. Raises UsageError."""
    number = whole(text)
    if number is None:
        raise UsageError(f"--seed is {text!r}, expected a whole number", hint="for example --seed 2")
    return number


def watch_delay_seed(text: str) -> int | None:
    """Return the seed of the watch delays; None where there are none. Raises UsageError."""
    if not text:
        return None
    number = whole(text)
    if number is None:
        raise UsageError(
            f"--watch-delays is {text!r}, expected a whole number", hint="for example --watch-delays 2"
        )
    return number


def scale(text: str) -> float:
    """Return the factor of waits. Raises UsageError."""
    least, most = SCALES
    factor = real(text)
    if factor is None or not least <= factor <= most:
        raise UsageError(
            f"--timeout-scale is {text!r}, expected a number from {least:g} to {most:g}",
            hint="for example --timeout-scale 2 for a slow machine",
        )
    return factor
