"""What can go wrong in the harness, drawn as a tree.

    AssertionError
    └── Nonconformance          a rule of the documents does not hold: outcome `failed`, exit 1
    ConformanceError            everything else that a user can cause or meet
    ├── UsageError              a wrong word, an unreadable file: exit 4
    │   └── Several             all that is wrong at once: exit 4, or 3 or 7 when no word is wrong
    ├── EnvironmentProblem      no server, no cluster, no port: exit 3
    │   └── ControlPlaneDied    who plays Kueue ended in the middle of a case: exit 3
    └── SubjectDied             the subject did not start or died: exit 7
        └── NotActive           it works, and no check of it becomes Active: exit 7 unless a scenario says so

Only nonconformance derives from AssertionError (harness/H-20).
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

Thing = TypeVar("Thing")
CUT_SHORT = 130
"""What the process of a run ends with that was interrupted twice, and wrote no report; the command line makes 2 of it."""


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


class ControlPlaneDied(EnvironmentProblem):
    """The control plane ended in the middle of a case, of which nothing can be said then."""


class SubjectDied(ConformanceError):
    """The subject could not be started, or died before it was judged."""

    exit_code = 7


class NotActive(SubjectDied):
    """The subject reads AdmissionChecks and makes none Active: scenarios of that fail, of the others nothing can be said."""


class Nonconformance(AssertionError):
    """A rule of the documents does not hold; `code` names the safety rule where it is one."""

    def __init__(self, message: str, *, code: str = "assertion") -> None:
        super().__init__(message)
        self.code = code

    def adds(self, lines: Sequence[str]) -> None:
        """Tell more at the end of the message."""
        self.args = ("\n".join([str(self), *lines]),)


class Several(UsageError):
    """Problems that are told together."""

    def __init__(self, problems: Sequence[ConformanceError]) -> None:
        told = [f"  {number}. " + str(one).replace("\n", "\n   ") for number, one in enumerate(problems, 1)]
        super().__init__("\n".join([f"{len(problems)} problems", *told]))
        self.problems = tuple(problems)
        codes = {one.exit_code for one in problems}
        self.exit_code = next(
            one for one in (UsageError.exit_code, EnvironmentProblem.exit_code, *codes) if one in codes
        )


class Problems:
    """Gathers what is wrong instead of ending at the first problem (harness/H-06)."""

    def __init__(self) -> None:
        self._found: list[ConformanceError] = []

    def of(self, work: Callable[[], Thing], otherwise: Thing) -> Thing:
        """Return what the work returns; where it raises a problem, remember that and return the other thing."""
        try:
            return work()
        except ConformanceError as problem:
            self._found.append(problem)
            return otherwise

    def end(self) -> None:
        """Raise what was found, if anything was."""
        if self._found:
            raise together(self._found)


def together(problems: Sequence[ConformanceError]) -> ConformanceError:
    """Return one error that tells all problems, each once and with its hint."""
    flat = [each for one in problems for each in (one.problems if isinstance(one, Several) else (one,))]
    distinct = list({str(one): one for one in flat}.values())
    return distinct[0] if len(distinct) == 1 else Several(distinct)


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
