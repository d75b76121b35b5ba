"""Command lines as Go programs read them: `--name=value`, `--name value`, `--name`; a name may be repeated.

Read by a program that loads next to nothing, so this does not either.
"""

from __future__ import annotations

from collections.abc import Iterable


class FlagError(Exception):
    """A flag that is missing or cannot be used; the text says what was expected."""


class Flags:
    """What a program was told, in order."""

    def __init__(self, values: tuple[tuple[str, str], ...]) -> None:
        self.values = values

    @classmethod
    def of(cls, arguments: Iterable[str]) -> Flags:
        """Read a command line. Raises FlagError for a word that belongs to no flag."""
        values: list[tuple[str, str]] = []
        open_name = ""
        for word in arguments:
            if word.startswith("-"):
                name, equals, value = word.lstrip("-").partition("=")
                values.append((name, value))
                open_name = "" if equals else name
            elif open_name:
                values[-1] = (open_name, word)
                open_name = ""
            else:
                raise FlagError(f"{word!r} belongs to no flag: expected --name=value")
        return cls(tuple(values))

    def get(self, name: str, default: str = "") -> str:
        """Return the last value of a flag."""
        # The last one counts, as with Go's flags.
        return next((value for key, value in reversed(self.values) if key == name), default)

    def value_of(self, name: str) -> str:
        """Return the value of a flag that must be there. Raises FlagError."""
        if not (value := self.get(name)):
            raise FlagError(f"--{name} is missing: expected --{name}=VALUE")
        return value

    def unknown_names(self, known_names: Iterable[str]) -> tuple[str, ...]:
        """Return the names that are not among those known, once each and in order."""
        known_names = set(known_names)
        return tuple(dict.fromkeys(name for name, _ in self.values if name not in known_names))
