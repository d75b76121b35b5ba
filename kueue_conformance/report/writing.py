"""The end of a run: builds the report, writes every format,
and decides the exit code (harness §10.5, §10.6).
"""

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
from ..options.shard import Shard
from ..run import Run
from ..scenarios.capability import PROFILES, Capability
from ..scenarios.outcome import Outcome, binding
from ..subject.hints import of_silence
from .formats import badge, junit, markdown, sarif, yaml_file
from .page import html
from .results import footprint, repetitions
from .results.abilities import abilities, mismatches
from .results.case import CaseResult
from .results.evidence_files import write_evidence
from .results.expectations import NOTHING_EXPECTED, ExpectationResults
from .results.model import INCOMPLETE, Report
from .results.profile import ProfileResult, group
from .results.safety import RuleResult, safety

FORMATS = {
    "report.yaml": yaml_file.render,
    "junit.xml": junit.render,
    "summary.md": markdown.render,
    "report.html": html.render,
    "badge.json": badge.render,
    "conformance.sarif": sarif.render,
}
DEATHS = ("SubjectDied", "NotActive")
"""Error codes of cases without a working subject."""
_VERDICTS = {Capability.READY, Capability.RETRY, Capability.REJECTED}
PASSED, NONCONFORMANCE, INTERRUPTED, UNDETERMINED, NOTHING, SUBJECT = 0, 1, 2, 3, 5, 7


def finish(
    run: Run,
    results: Sequence[CaseResult],
    expected: ExpectationResults,
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
        report = build(run, results, complete=complete, started=started, expected=expected)
        make_folder(run.settings.report_dir)
        for name, render in FORMATS.items():
            save(run.settings.report_dir / name, printable(render(report)))
        write_evidence(run.settings.report_dir, results)
        footprint.write_role(run.settings.report_dir, report.footprint)
    strict = run.settings.strict
    return exit_code(
        results, interrupted=interrupted, status=status, stale=bool(expected.stale), strict=strict
    )


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
    records, levels = inventory(), binding(strict=strict)
    return [result for result in results if _lacking(result) and records[result.id].level not in levels]


def _lacking(result: CaseResult) -> bool:
    return result.outcome is Outcome.FAILED or (result.outcome is Outcome.FLAKY and not result.expectation)


def build(
    run: Run,
    results: Sequence[CaseResult],
    *,
    complete: bool,
    started: float,
    expected: ExpectationResults = NOTHING_EXPECTED,
) -> Report:
    """Return the report of a run."""
    records = inventory()
    profiles = profiles_of(run, results, complete=complete)
    outcomes = {
        scenario.scenario.id: scenario.outcome for profile in profiles for scenario in profile.scenarios
    }
    return Report(
        complete=complete,
        date=datetime.fromtimestamp(started, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        inventory=tuple(records.values()),
        profiles=profiles,
        environment=environment(run),
        requirements=coverage(records, run.settings.profiles, outcomes),
        implementation=implementation(run),
        safety_rules=safety(results),
        expectations=expected.to_dict(),
        seed=run.settings.seed,
        # Beside profiles without a subject nobody looks for the least role of the reference's integration.
        footprint={} if run.settings.own_integration else footprint.footprint(results, run.settings.subject),
    )


def profiles_of(run: Run, results: Sequence[CaseResult], *, complete: bool) -> tuple[ProfileResult, ...]:
    """Return the profiles that ran; one that judges check
    controllers with what the subject claims and shows.
    """
    records, subject = inventory(), run.settings.subject
    profiles = group(results, records, strict=run.settings.strict, complete=complete)
    if subject is None:
        return profiles
    observed = (
        {name for result in results for name in result.observed}
        if any(result.judged for result in results)
        else None
    )
    return tuple(
        replace(
            profile,
            abilities=abilities(
                {scenario.scenario.id: scenario.own_outcome for scenario in profile.scenarios},
                records,
                subject.capabilities,
                observed,
                subject.hidden_capabilities,
            ),
        )
        for profile in profiles
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
        **({"controllerName": subject.controller_name} if subject.controller_name else {}),
        **subject.implementation,
        "versionSource": "declared",
    }


def of_control_plane(run: Run) -> dict[str, Any]:
    """Return the control plane, and its observed release where known."""
    release = run.control_plane.release()
    stamp = {"version": release, "versionSource": "observed"} if release else {"versionSource": "declared"}
    own = run.settings.own_integration
    integration = {"jobIntegration": own.connect} if own else {}
    return {"subject": f"control plane {run.settings.control_plane}", **integration, **stamp}


def of_autoscaler(run: Run) -> dict[str, Any]:
    """Return the autoscaler, and the name and version that it reports."""
    version = run.autoscaler.version()
    stamp = {"version": version, "versionSource": "observed"} if version else {"versionSource": "declared"}
    return {"subject": f"autoscaler {run.settings.autoscaler}", **stamp}


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
        "dialects": [dialect.name for dialect in run.settings.dialects],
        "python": platform.python_version(),
        "pytest": version("pytest"),
        "options": options.describe(run.settings),
        **({"shard": _shard(run.settings.shard, run.settings.profiles)} if run.settings.shard else {}),
    }


def _shard(shard: Shard, profiles: Sequence[str]) -> dict[str, Any]:
    """Return what `report merge` needs to know of a shard: a profile may have no case in it."""
    return {
        "number": shard.number,
        "count": shard.count,
        "costs": shard.costs.digest,
        "profiles": sorted(profiles),
    }


def _autoscaler(run: Run) -> dict[str, str]:
    """Return the kind of autoscaler, without a program's command, and the version that it reports."""
    return {"chosen": run.settings.autoscaler.partition(":")[0], "observed": run.autoscaler.version()}


def table(
    run: Run, results: Sequence[CaseResult], expected: ExpectationResults, *, complete: bool
) -> list[str]:
    """Return the lines that the terminal shows at the end."""
    profiles = profiles_of(run, results, complete=complete)
    lines = [
        f"{profile.name:<20} {profile.result:<13} {profile.summary_of_cases}  ({profile.summary_of_scenarios})"
        for profile in profiles
    ]
    if not complete:
        lines.append(INCOMPLETE)
    lines += repetitions.lines(results)
    if not run.settings.select:
        lines += mismatches(row for profile in profiles for row in profile.abilities)
    lines += footprint.lines_about_missing_rights(results)
    lines += _silence(run, results)
    lines += [result.text for result in results if result.outcome is Outcome.XPASSED]
    lines += [f"{row['where']}: {row['id']}: {row['why']}" for row in expected.stale]
    lines += [*_unsupported(results), *_advisory_rules(results, strict=run.settings.strict)]
    if names := sorted({result.id for result in advisory(results, strict=run.settings.strict)}):
        lines.append(
            f"no must, so that neither the profile nor the exit code counts it (--strict does): {', '.join(names)}"
        )
    if run.settings.report_dir is not None:
        lines.append(f"report: {run.settings.report_dir / 'report.html'}")
    return [*lines, f"seed: {run.settings.seed}"]


def _silence(run: Run, results: Sequence[CaseResult]) -> list[str]:
    """Return the line about a subject that gave no verdict although its checks are Active."""
    subject, judged = run.settings.subject, [result for result in results if result.judged]
    failed = any(result.outcome is Outcome.FAILED for result in judged)
    observed = {name for result in judged for name in result.observed}
    if subject is None or not failed or observed & _VERDICTS or not (hint := of_silence(subject)):
        return []
    return [f"the subject gave no verdict in {len(judged)} case(s). {hint}"]


def _unsupported(results: Sequence[CaseResult]) -> list[str]:
    """Return the unsupported scenarios by missing feature."""
    counter = Counter(result.code for result in results if result.outcome is Outcome.UNSUPPORTED)
    return [f"unsupported: {why} ({amount} case(s))" for why, amount in sorted(counter.items())]


def _advisory_rules(results: Sequence[CaseResult], *, strict: bool) -> list[str]:
    """Return a line for each safety rule that was broken and does not decide; no card shows it."""
    levels = binding(strict=strict)
    broken = [rule for rule in safety(results) if rule.violations and rule.level not in levels]
    return [
        f"broken, and no must: {rule.id} [{rule.level}] {rule.rule}; in {_cases_of(rule)} case(s), first {first['scenario']}: {first['text']}"
        for rule in broken
        for first in rule.violations[:1]
    ]


def _cases_of(rule: RuleResult) -> int:
    return len({(violation["scenario"], violation["test"]) for violation in rule.violations})
