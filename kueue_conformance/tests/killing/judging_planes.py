"""Running scenarios that judge control planes against one, in this process: its start takes longer than most
of them.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Sequence
from typing import Any

import pytest

from kueue_conformance.catalogue.inventory import inventory, module_of
from kueue_conformance.tests.checkout import ROOT

from . import inner
from .judging import Verdicts
from .planes import WrongPlane

SUITES = {"ADMISSION": ROOT / "suites/admission", "QUEUEING": ROOT / "suites/queueing"}
"""The profiles that every control plane is judged by, with their folders."""
JUDGED = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)


def judge(
    plane: WrongPlane | None,
    select: Sequence[str] = (),
    *,
    dialect: str = "v0.19",
    seed: int = 7,
    **more: Any,
) -> tuple[list[str], list[str]]:
    """Run scenarios (all of `SUITES` unless some are named, of whatever profile) against a control plane, the
    right one for None.

    Returns those that failed, at whatever level, and those that ran; one that is named alone fails with its
    first case. Raises RuntimeError when nothing could be run.
    """
    seen = run(plane, select, dialect=dialect, seed=seed, **more)
    return sorted(seen.failed), sorted(seen.ran)


def codes(plane: WrongPlane, **more: Any) -> set[str]:
    """Return why the scenario named for a control plane failed: the clauses, the safety rules, or the kinds
    of error.
    """
    found: set[str] = run(plane, [plane.named], **more).codes.get(plane.named, set())
    return found


def run(
    plane: WrongPlane | None,
    select: Sequence[str] = (),
    *,
    dialect: str = "v0.19",
    seed: int = 7,
    plugins: Sequence[Any] = (),
    **more: Any,
) -> Verdicts:
    """Run scenarios as `judge` does, and return all that was seen of them; `plugins` look on."""
    seen = Verdicts()
    where = {module_of(inventory()[one]) for one in select} or {*SUITES.values()}
    options = {
        "profile": ",".join(sorted({inventory()[one].profile.name for one in select})) or ",".join(SUITES),
        "dialect": plane.dialect if plane else dialect,
        "seed": seed,
        "select": ",".join(select),
        **more,
    }
    arguments = [
        *sorted(map(str, where)), *(f"--kueue-{key}={value}" for key, value in options.items()), *(["-x"] if len(select) == 1 else []),
    ]  # fmt: skip
    with (
        contextlib.redirect_stdout(io.StringIO()) as output,
        plane.installed() if plane else contextlib.nullcontext(),
    ):
        code = inner.run(arguments, (seen, *plugins), select)
    if code not in JUDGED or not seen.ran:
        raise RuntimeError(f"the scenarios cannot be run against {plane}: {code!r}\n{output.getvalue()}")
    return seen
