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
INTEGRATIONS = "JOB-INTEGRATION"
NEWEST_DIALECT = "v0.20"
"""The release beside which job integrations are judged."""


def judge(
    plane: WrongPlane | None,
    select: Sequence[str] = (),
    *,
    dialect: str = "v0.19",
    seed: int = 7,
    **options: Any,
) -> tuple[list[str], list[str]]:
    """Run scenarios (all of `PROFILES` unless some are named, of whatever profile) against a control plane,
    the right one for None.

    Returns those that failed, at whatever level, and those that ran; one that is named alone fails with its
    first case. Raises RuntimeError when nothing could be run.
    """
    verdicts = run(plane, select, dialect=dialect, seed=seed, **options)
    return sorted(verdicts.failed), sorted(verdicts.ran)


def judge_integration(
    integration: WrongPlane | None, select: Sequence[str] = (), *, exclude: Sequence[str] = (), **options: Any
) -> tuple[list[str], list[str]]:
    """Run scenarios against a job integration as `judge` does: all of its profile unless some are named."""
    of_profile = [name for name, record in inventory().items() if record.profile.name == INTEGRATIONS]
    chosen = [name for name in select or of_profile if name not in exclude]
    return judge(integration, chosen, dialect=NEWEST_DIALECT, **options)


def codes(plane: WrongPlane, **options: Any) -> set[str]:
    """Return why the scenario named for a control plane failed:
    the clauses, the safety rules, or the kinds of error.
    """
    failure_codes: set[str] = run(plane, [plane.named], **options).codes.get(plane.named, set())
    return failure_codes


def run(
    plane: WrongPlane | None,
    select: Sequence[str] = (),
    *,
    dialect: str = "v0.19",
    seed: int = 7,
    wants_case: Callable[[pytest.Item], bool] = lambda _: True,
    plugins: Sequence[Any] = (),
    **further_options: Any,
) -> Verdicts:
    """Run scenarios as `judge` does, of their cases those that `wants_case` takes. Return all that was
    seen of them; `plugins` look on.
    """
    verdicts = Verdicts()
    profiles = sorted({inventory()[scenario_id].profile.name for scenario_id in select}) or [*PROFILES]
    options = {
        "profile": ",".join(profiles),
        "dialect": plane.dialect if plane else dialect,
        "seed": seed,
        **(
            {"select": ",".join(select)}
            if any(inventory()[scenario_id].large for scenario_id in select)
            else {}
        ),
        **further_options,
    }
    cases = cases_of(profiles, **options)
    verdicts.scenarios = cases.scenarios
    with own_errors.watch() as errors, plane.install() if plane else contextlib.nullcontext():
        cases.run(
            [*filter(wants_case, cases.of(select))],
            (verdicts, *plugins),
            prepare_anew=plane is None or plane.changes_clusters,
            enough=lambda: len(select) == 1 and bool(verdicts.failed),
        )
    if plane and select and errors:
        raise RuntimeError(f"{plane.name} breaks instead of deciding wrongly: {errors[0]}")
    if not verdicts.ran:
        raise RuntimeError(
            f"no scenario of {', '.join(select) or options['profile']} could be run against {plane}"
        )
    return verdicts


def cases_of(profiles: Sequence[str], **options: Any) -> Collection:
    """Return the cases of profiles that these options of the suite have."""
    return collection(
        *(str(SUITES / profile.lower().replace("-", "_")) for profile in profiles),
        *(f"--kueue-{key}={value}" for key, value in options.items()),
    )
