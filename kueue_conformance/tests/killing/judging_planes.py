"""Running scenarios that judge control planes and autoscalers against one, in this process."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.tests.checkout import ROOT

from . import own_errors
from .collected import Collection, collection
from .judging import Verdicts
from .planes import WrongPlane

SUITES = ROOT / "suites"
PROFILES = ("ADMISSION", "QUEUEING")
"""The profiles that every control plane is judged by."""


def judge(
    plane: WrongPlane | None,
    select: Sequence[str] = (),
    *,
    dialect: str = "v0.19",
    seed: int = 7,
    **more: Any,
) -> tuple[list[str], list[str]]:
    """Run scenarios (all of `PROFILES` unless some are named, of whatever profile) against a control plane,
    the right one for None.

    Returns those that failed, at whatever level, and those that ran; one that is named alone fails with its
    first case. Raises RuntimeError when nothing could be run.
    """
    seen = run(plane, select, dialect=dialect, seed=seed, **more)
    return sorted(seen.failed), sorted(seen.ran)


def codes(plane: WrongPlane, **more: Any) -> set[str]:
    """Return why the scenario named for a control plane failed:
    the clauses, the safety rules, or the kinds of error.
    """
    found: set[str] = run(plane, [plane.named], **more).codes.get(plane.named, set())
    return found


def run(
    plane: WrongPlane | None,
    select: Sequence[str] = (),
    *,
    dialect: str = "v0.19",
    seed: int = 7,
    wanted: Callable[[pytest.Item], bool] = lambda _: True,
    plugins: Sequence[Any] = (),
    **more: Any,
) -> Verdicts:
    """Run scenarios as `judge` does, of their cases those that are `wanted`, and return all that was seen of
    them; `plugins` look on.
    """
    seen = Verdicts()
    profiles = sorted({inventory()[one].profile.name for one in select}) or [*PROFILES]
    options = {
        "profile": ",".join(profiles),
        "dialect": plane.dialect if plane else dialect,
        "seed": seed,
        **({"select": ",".join(select)} if any(inventory()[one].large for one in select) else {}),
        **more,
    }
    cases = cases_of(profiles, **options)
    seen.scenarios = cases.scenarios
    with own_errors.watch() as errors, plane.installed() if plane else contextlib.nullcontext():
        cases.run(
            [*filter(wanted, cases.of(select))],
            (seen, *plugins),
            prepare_anew=plane is None or plane.changes_clusters,
            enough=lambda: len(select) == 1 and bool(seen.failed),
        )
    if plane and select and errors:
        raise RuntimeError(f"{plane.name} breaks instead of deciding wrongly: {errors[0]}")
    if not seen.ran:
        raise RuntimeError(
            f"no scenario of {', '.join(select) or options['profile']} could be run against {plane}"
        )
    return seen


def cases_of(profiles: Sequence[str], **options: Any) -> Collection:
    """Return the cases of profiles that these options of the suite have."""
    return collection(
        *(str(SUITES / one.lower().replace("-", "_")) for one in profiles),
        *(f"--kueue-{key}={value}" for key, value in options.items()),
    )
