"""The end of a run: builds the report, writes every format, and decides the exit code (harness §10.5, §10.6)."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from .. import options
from ..base.files.saving import make_folder, save
from ..base.printable import printable
from ..catalogue.inventory import inventory
from ..catalogue.requirement import coverage
from ..run import Run
from ..scenarios.capability import PROFILES
from ..scenarios.outcome import Outcome, binding
from .formats import badge, junit, markdown, yaml_file
from .page import html
from .results import footprint, turns
from .results.abilities import abilities, mismatches
from .results.case import CaseResult
from .results.expecting import NOTHING_EXPECTED, Kept
from .results.keeping import put
from .results.model import INCOMPLETE, Report
from .results.profile import ProfileResult, group, summary
from .results.safety import safety

FORMATS = {
    "report.yaml": yaml_file.render,
    "junit.xml": junit.render,
    "summary.md": markdown.render,
    "report.html": html.render,
    "badge.json": badge.render,
}
DEATHS = ("SubjectDied", "NotActive")
"""Error codes of cases without a working subject."""
PASSED, NONCONFORMANCE, INTERRUPTED, UNDETERMINED, NOTHING, SUBJECT = 0, 1, 2, 3, 5, 7


def finish(
    run: Run,
    results: Sequence[CaseResult],
    kept: Kept,
    *,
    complete: bool,
    interrupted: bool,
    started: float,
    status: int,
) -> int:
    """Write the reports where the settings want them and return the exit code of the run.

    Raises EnvironmentProblem.
    """
    if run.settings.report_dir is not None:
        report = build(run, results, complete=complete, started=started, kept=kept)
        make_folder(run.settings.report_dir)
        for name, render in FORMATS.items():
            save(run.settings.report_dir / name, printable(render(report)))
        put(run.settings.report_dir, results)
        footprint.put(run.settings.report_dir, report.footprint)
    strict = run.settings.strict
    return exit_code(results, interrupted=interrupted, status=status, stale=bool(kept.stale), strict=strict)


def exit_code(
    results: Sequence[CaseResult],
    *,
    interrupted: bool,
    status: int,
    stale: bool = False,
    strict: bool = False,
) -> int:
    """Return the code: nonconformance before undetermined, interruption before both (harness §10.6).

    What does not decide a profile does not decide here either: a failure at level should without --strict
    (harness/H-13). `status` is what the tests that are no scenarios come to.
    """
    outcomes = {result.outcome for result in results}
    if interrupted:
        return INTERRUPTED
    if (
        stale
        or Outcome.XPASSED in outcomes
        or len([*filter(_lacking, results)]) > len(advisory(results, strict=strict))
    ):
        return NONCONFORMANCE
    if any(result.code in DEATHS for result in results):
        return SUBJECT
    if Outcome.ERROR in outcomes:
        return UNDETERMINED
    return status if outcomes - {Outcome.EXCLUDED} else NOTHING


def advisory(results: Sequence[CaseResult], *, strict: bool) -> list[CaseResult]:
    """Return failed and flaky cases at levels that do not decide."""
    known, levels = inventory(), binding(strict=strict)
    return [one for one in results if _lacking(one) and known[one.id].level not in levels]


def _lacking(result: CaseResult) -> bool:
    return result.outcome is Outcome.FAILED or (result.outcome is Outcome.FLAKY and not result.expectation)


def build(
    run: Run, results: Sequence[CaseResult], *, complete: bool, started: float, kept: Kept = NOTHING_EXPECTED
) -> Report:
    """Return the report of a run."""
    known = inventory()
    profiles = judged(run, results, complete=complete)
    outcomes = {one.scenario.id: one.outcome for profile in profiles for one in profile.scenarios}
    return Report(
        complete=complete,
        date=datetime.fromtimestamp(started, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        inventory=tuple(known.values()),
        profiles=profiles,
        environment=environment(run),
        requirements=coverage(known, run.settings.profiles, outcomes),
        implementation=implementation(run),
        safety_rules=safety(results),
        expectations=kept.to_dict(),
        seed=run.settings.seed,
        footprint=footprint.footprint(results, run.settings.subject),
    )


def judged(run: Run, results: Sequence[CaseResult], *, complete: bool) -> tuple[ProfileResult, ...]:
    """Return the profiles that ran; one that judges check controllers with what the subject claims and shows."""
    known, subject = inventory(), run.settings.subject
    profiles = group(results, known, strict=run.settings.strict, complete=complete)
    if subject is None:
        return profiles
    seen = (
        {name for each in results for name in each.observed} if any(each.judged for each in results) else None
    )
    return tuple(
        replace(
            one,
            abilities=abilities(
                {each.scenario.id: each.outcome for each in one.scenarios}, known, subject.capabilities, seen
            ),
        )
        for one in profiles
    )


def implementation(run: Run) -> dict[str, Any]:
    """Return the description of what was judged."""
    subject = run.settings.subject
    if run.settings.judges_server:
        return {"subject": f"API server {run.examiner.version}", "versionSource": "/version"}
    if run.judges_autoscaler and all(PROFILES[name].judges_autoscaler for name in run.settings.profiles):
        return of_autoscaler(run)
    if subject is None:
        return of_control_plane(run)
    return {
        "subject": subject.connect,
        "controllerName": subject.controller_name,
        **subject.implementation,
        "versionSource": "declared",
    }


def of_control_plane(run: Run) -> dict[str, Any]:
    """Return the control plane, and its observed release where known."""
    seen = run.control_plane.release()
    known = {"version": seen, "versionSource": "observed"} if seen else {"versionSource": "declared"}
    return {"subject": f"control plane {run.settings.control_plane}", **known}


def of_autoscaler(run: Run) -> dict[str, Any]:
    """Return the autoscaler, and the name and version that it reports."""
    seen = run.autoscaler.version()
    known = {"version": seen, "versionSource": "observed"} if seen else {"versionSource": "declared"}
    return {"subject": f"autoscaler {run.settings.autoscaler}", **known}


def environment(run: Run) -> dict[str, Any]:
    """Return the environment of the run (harness/H-31)."""
    kueue = "" if run.settings.judges_server else run.control_plane.release()
    return {
        "backend": run.settings.backend.partition(":")[0],
        **({"program": run.program} if run.program else {}),
        **({"kubernetes": run.kubernetes} if run.kubernetes else {}),
        **({"kueue": {"observed": kueue}} if kueue else {}),
        **({"proven": dict(proven)} if (proven := run.proven) else {}),
        **({"autoscaler": _autoscaler(run)} if run.judges_autoscaler else {}),
        "controlPlane": run.settings.control_plane,
        "dialects": [one.name for one in run.settings.dialects],
        "python": platform.python_version(),
        "pytest": version("pytest"),
        "options": options.describe(run.settings),
    }


def _autoscaler(run: Run) -> dict[str, str]:
    """Return the kind of autoscaler, without a program's command, and the version that it reports."""
    return {"chosen": run.settings.autoscaler.partition(":")[0], "observed": run.autoscaler.version()}


def table(run: Run, results: Sequence[CaseResult], kept: Kept, *, complete: bool) -> list[str]:
    """Return the lines that the terminal shows at the end."""
    profiles = judged(run, results, complete=complete)
    lines = [
        f"{one.name:<20} {one.result:<13} {summary(one.counts)}  ({sum(len(each.cases) for each in one.scenarios)} cases)"
        for one in profiles
    ]
    if not complete:
        lines.append(INCOMPLETE)
    lines += turns.lines(results)
    if not run.settings.select:
        lines += mismatches(row for one in profiles for row in one.abilities)
    lines += footprint.told(results)
    lines += [each.text for each in results if each.outcome is Outcome.XPASSED]
    lines += [f"{each['where']}: {each['id']}: {each['why']}" for each in kept.stale]
    lines += [*_unsupported(results), *_told_only(results, strict=run.settings.strict)]
    if names := sorted({each.id for each in advisory(results, strict=run.settings.strict)}):
        lines.append(
            f"no must, so that neither the profile nor the exit code counts it (--strict does): {', '.join(names)}"
        )
    if run.settings.report_dir is not None:
        lines.append(f"report: {run.settings.report_dir / 'report.html'}")
    return [*lines, f"seed: {run.settings.seed}"]


def _unsupported(results: Sequence[CaseResult]) -> list[str]:
    """Return the unsupported scenarios by missing feature."""
    found = Counter(each.code for each in results if each.outcome is Outcome.UNSUPPORTED)
    return [f"unsupported: {why} ({amount} case(s))" for why, amount in sorted(found.items())]


def _told_only(results: Sequence[CaseResult], *, strict: bool) -> list[str]:
    """Return the line about safety rules that were broken and do not decide."""
    levels = binding(strict=strict)
    broken = [one for one in safety(results) if one.violations and one.level not in levels]
    told = [
        f"{one.id} [{one.level}] in {len({(each['scenario'], each['test']) for each in one.violations})} case(s)"
        for one in broken
    ]
    return [f"broken, and no must: {', '.join(told)}"] if told else []
