"""Command lines as Go programs read them: `--name=value`, `--name value`, `--name`; a name may be repeated.

Read by a program that loads next to nothing, so this does not either.
"""

from __future__ import annotations

from collections.abc import Iterable


class FlagError(Exception):
    """A flag that is missing or cannot be used; the text says what was expected."""


class Flags:
    """What a program was told, in order."""

    def __init__(self, given: tuple[tuple[str, str], ...]) -> None:
        self.given = given

    @classmethod
    def of(cls, arguments: Iterable[str]) -> Flags:
        """Read a command line. Raises FlagError for a word that belongs to no flag."""
        given: list[tuple[str, str]] = []
        open_name = ""
        for word in arguments:
            if word.startswith("-"):
                name, equals, value = word.lstrip("-").partition("=")
                given.append((name, value))
                open_name = "" if equals else name
            elif open_name:
                given[-1] = (open_name, word)
                open_name = ""
            else:
                raise FlagError(f"{word!r} belongs to no flag: expected --name=value")
        return cls(tuple(given))

    def get(self, name: str, default: str = "") -> str:
        """Return the last value of a flag."""
        return next((value for key, value in reversed(self.given) if key == name), default)

    def needed(self, name: str) -> str:
        """Return the value of a flag that must be there. Raises FlagError."""
        if not (value := self.get(name)):
            raise FlagError(f"--{name} is missing: expected --{name}=VALUE")
        return value

    def unknown(self, known: Iterable[str]) -> tuple[str, ...]:
        """Return the names that are not among those known, once each and in order."""
        known = set(known)
        return tuple(dict.fromkeys(name for name, _ in self.given if name not in known))
