"""The exceptions of the harness.

    AssertionError
    └── Nonconformance          a rule of the documents does not hold: outcome `failed`, exit 1
    ConformanceError            everything else that a user can cause or meet
    ├── UsageError              a wrong word, an unreadable file: exit 4
    │   ├── Several             all that is wrong at once: exit 4, or 3 or 7 when no word is wrong
    │   └── SubjectFileError    the subject file does not fit the program or the cluster: the run ends
    ├── EnvironmentProblem      no server, no cluster, no port: exit 3
    │   ├── ControlPlaneDied    the control plane ended in the middle of a case: exit 3
    │   └── UnmetPremise        what a rule is about could not be brought about: exit 3
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
"""Exit code of a run that was interrupted twice and wrote no report; the command line turns it into 2."""


class ConformanceError(Exception):
    """A problem and a hint; `exit_code` is the exit code of the command line (harness §10.6)."""

    exit_code = 3

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.args[0]}\n  hint: {self.hint}" if self.hint else str(self.args[0])


class UsageError(ConformanceError):
    """An option or a file of the user cannot be used; `path` is the place of the field in its file, such as
    `implementation.version`, where there is one.
    """

    exit_code = 4

    def __init__(self, message: str, *, hint: str = "", path: str = "") -> None:
        super().__init__(message, hint=hint)
        self.path = path

    def at_line(self, file: str, line: int) -> UsageError:
        """Return the same error with the line of its value in front."""
        return type(self)(f"{file}:{line}: {self.args[0]}", hint=self.hint)


class SubjectFileError(UsageError):
    """A field of the subject file does not fit the program or the cluster, which only its start can show."""


class EnvironmentProblem(ConformanceError):
    """The harness, the backend or the control plane does not work; nothing was judged."""

    exit_code = 3


class ControlPlaneDied(EnvironmentProblem):
    """The control plane ended in the middle of a case, which cannot be judged then."""


class UnmetPremise(EnvironmentProblem):
    """A scenario could not bring about what its rule is about, so that the rule is undetermined."""


def too_busy(problem: str) -> UnmetPremise:
    """Return the error for a wait that the other work of this machine made too short."""
    return UnmetPremise(
        f"undetermined: the machine is busy with other work: {problem}",
        hint="use a machine with less other work, or --timeout-scale 2",
    )


class SubjectDied(ConformanceError):
    """The subject could not be started, or died before it was judged."""

    exit_code = 7


class NotActive(SubjectDied):
    """The subject reads AdmissionChecks and makes none Active:
    scenarios about that fail, others cannot be judged.
    """


class Nonconformance(AssertionError):
    """A rule of the documents does not hold; `code` names the safety rule where it is one."""

    def __init__(self, message: str, *, code: str = "assertion") -> None:
        super().__init__(message)
        self.code = code

    def adds(self, lines: Sequence[str]) -> None:
        """Append text to the message."""
        self.args = ("\n".join([str(self), *lines]),)


class CombinedError(UsageError):
    """Several problems in one error."""

    def __init__(self, problems: Sequence[ConformanceError]) -> None:
        numbered = [
            f"  {number}. " + str(problem).replace("\n", "\n   ")
            for number, problem in enumerate(problems, 1)
        ]
        super().__init__("\n".join([f"{len(problems)} problems", *numbered]))
        self.problems = tuple(problems)
        codes = {problem.exit_code for problem in problems}
        self.exit_code = next(
            code for code in (UsageError.exit_code, EnvironmentProblem.exit_code, *codes) if code in codes
        )


class Problems:
    """Collects problems instead of stopping at the first (harness/H-06)."""

    def __init__(self) -> None:
        self._found: list[ConformanceError] = []

    def of(self, work: Callable[[], Thing], otherwise: Thing) -> Thing:
        """Return the result of `work`; if it raises a ConformanceError,
        record that and return the default.
        """
        try:
            return work()
        except ConformanceError as problem:
            self._found.append(problem)
            return otherwise

    def end(self) -> None:
        """Raise the collected problems, if there are any."""
        if self._found:
            raise together(self._found)


def together(problems: Sequence[ConformanceError]) -> ConformanceError:
    """Return one error with all problems, each once with its hint."""
    flat = [
        problem
        for error in problems
        for problem in (error.problems if isinstance(error, CombinedError) else (error,))
    ]
    distinct = list({str(problem): problem for problem in flat}.values())
    return distinct[0] if len(distinct) == 1 else CombinedError(distinct)


def unknown(noun: str, word: str, known_words: Iterable[str], *, path: str = "") -> UsageError:
    """Return the error for an unknown word, with the nearest known one; `path` is its place in a file."""
    words = sorted(known_words)
    near = difflib.get_close_matches(word.lower(), [word.lower() for word in words], n=1, cutoff=0.4)
    nearest = next((word for word in words if near and word.lower() == near[0]), "")
    hint = (
        f"did you mean {nearest!r}?"
        if nearest
        else f"known: {', '.join(words[:12])}{' …' if len(words) > 12 else ''}"
    )
    return UsageError(f"unknown {noun} {word!r}", hint=hint, path=path)
