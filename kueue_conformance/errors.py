"""What can go wrong in the harness, drawn as a tree.

    AssertionError
    └── Nonconformance          a rule of the documents does not hold: outcome `failed`, exit 1
    ConformanceError            everything else that a user can cause or meet
    ├── UsageError              a wrong word, an unreadable file: exit 4
    ├── EnvironmentProblem      no server, no cluster, no port: exit 3
    └── SubjectDied             the subject did not start or died: exit 7

Only nonconformance derives from AssertionError (harness/H-20).
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence


class ConformanceError(Exception):
    """A problem with its hint; `exit_code` is what the command line ends with (harness §10.6)."""

    exit_code = 3

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.args[0]}\n  hint: {self.hint}" if self.hint else str(self.args[0])


class UsageError(ConformanceError):
    """A word or a file that the user gave cannot be used."""

    exit_code = 4


class EnvironmentProblem(ConformanceError):
    """The harness, the backend or the control plane could not do its work; nothing was judged."""

    exit_code = 3


class SubjectDied(ConformanceError):
    """The subject could not be started, or died before it was judged."""

    exit_code = 7


class Nonconformance(AssertionError):
    """A rule of the documents does not hold; `code` names the safety rule where it is one."""

    def __init__(self, message: str, *, code: str = "assertion") -> None:
        super().__init__(message)
        self.code = code


def together(problems: Sequence[ConformanceError]) -> ConformanceError:
    """Return one error that tells all problems, each with its hint; wrong usage goes before a wrong environment (harness/H-06)."""
    if len(problems) == 1:
        return problems[0]
    told = [f"  {number}. " + str(one).replace("\n", "\n   ") for number, one in enumerate(problems, 1)]
    kind = UsageError if any(isinstance(one, UsageError) for one in problems) else EnvironmentProblem
    return kind("\n".join([f"{len(problems)} problems", *told]))


def unknown(what: str, given: str, known: Iterable[str]) -> UsageError:
    """Return the error for a word that is not in a closed vocabulary, naming the nearest one."""
    words = sorted(known)
    near = difflib.get_close_matches(given.lower(), [word.lower() for word in words], n=1, cutoff=0.4)
    nearest = next((word for word in words if near and word.lower() == near[0]), "")
    hint = (
        f"did you mean {nearest!r}?"
        if nearest
        else f"known: {', '.join(words[:12])}{' …' if len(words) > 12 else ''}"
    )
    return UsageError(f"unknown {what} {given!r}", hint=hint)
