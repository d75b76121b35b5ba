"""Safety rules: what the judged program must never do, judged on the story of every case (harness/N-02).

A rule is a row: its id on the fact page, level, wording, and a pure function from the story to its
violations. `autoscaler`, `check_controller`, `control_plane` and `job_integration` hold the rows of what is
judged, each module those of one question.
"""

from __future__ import annotations

from collections.abc import Collection

from ..scenarios.dialect import Dialect
from .autoscaler import AUTOSCALER
from .check_controller import CHECK_CONTROLLER
from .control_plane import CONTROL_PLANE
from .job_integration import JOB_INTEGRATION, OWN_JOBS
from .story import SafetyRule, Story, Violation

__all__ = [
    "AUTOSCALER",
    "CHECK_CONTROLLER",
    "CONTROL_PLANE",
    "JOB_INTEGRATION",
    "OWN_JOBS",
    "RULES",
    "SafetyRule",
    "Story",
    "Violation",
    "judge",
    "rules_for",
]

# By id, whichever module holds a rule.
RULES = tuple(
    sorted((*AUTOSCALER, *CHECK_CONTROLLER, *CONTROL_PLANE, *JOB_INTEGRATION), key=lambda rule: rule.id)
)


def rules_for(story: Story, dialect: Dialect) -> tuple[SafetyRule, ...]:
    """Return the rules of an autoscaler where its dialect is spoken, of a job integration or a check
    controller where the story has one, else of the control plane, with those of job integrations where its
    own is judged.
    """
    if dialect.family == "autoscaler":
        return AUTOSCALER
    if story.job_fields is not None:
        return JOB_INTEGRATION
    if story.controller:
        return CHECK_CONTROLLER
    return (*CONTROL_PLANE, *OWN_JOBS) if story.judges_own_jobs else CONTROL_PLANE


def judge(
    story: Story, dialect: Dialect, permits: Collection[str] = (), former: Dialect | None = None
) -> list[Violation]:
    """Return every breach of the rules that hold in a dialect, in order of the rules; those a scenario
    permits are not judged. Where the story begins with a former release, the rules hold in both.
    """
    spoken = [dialect] if former is None else [dialect, former]
    rules_in_dialect = (rule for rule in rules_for(story, dialect) if all(map(rule.holds_in, spoken)))
    # A scenario that permits a breach makes it on purpose, and has its own word about it.
    rules = [rule for rule in rules_in_dialect if rule.id not in permits]
    return [violation for rule in rules for violation in rule.violations(story)]
