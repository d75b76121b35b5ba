"""Judges the safety rules on one case: selects the case's objects,
finds breaches, and fails the case (harness/N-02).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..base.errors import Nonconformance
from ..base.slowdown import MOST_TIMES, measure_slowdown
from ..history.rests import settled_revisions
from ..history.story import Question, Request
from ..rules import Story, Violation, judge
from ..rules.autoscaler.groups import NODE_GROUPS
from ..rules.story import notice_seconds
from ..scenarios.outcome import binding
from .context import CaseContext
from .failure_text import story_of, under
from .unreleased_work import unreleased_work

_SHOWN = 3
"""The most breaches of one rule in a failure text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """The story of a case, read once, and its breaches of safety rules.

    `broken` is None where nothing was judged: there is neither a subject nor a Kueue, the subject's writes
    are not known, or the case never began.
    """

    story: Story
    broken: tuple[Violation, ...] | None = None


def judge_case(context: CaseContext, *, failed: bool = False) -> Judgement:
    """Return the story of a case so far, judged by the safety rules.

    In real time a breach is judged a second time, by the seconds of a machine as busy as this one. A Kueue
    that owes something is given longer before that, since a short pause is no rest there; the writes of a
    subject are done.
    """
    # A case that failed may have waited for the release already.
    work = unreleased_work(context, patient=not failed)
    case_story = replace(story(context), unreleased_work=work)
    judgement = _judge(context, case_story)
    # Most cases pay neither for the wait nor for the measurement.
    if not judgement.broken or context.budgets.virtual:
        return judgement
    slowdown = min(measure_slowdown(), MOST_TIMES)
    if context.subject is None:
        context.rest(notice_seconds(context.budgets.scale * slowdown))
        case_story = story(context)
    return _judge(context, _with_slowdown(context, case_story, slowdown))


def _judge(context: CaseContext, case_story: Story) -> Judgement:
    works = context.kueue_works or context.autoscaler is not None
    named = works and bool(context.about.title)  # an ordinary test may break rules on purpose
    # The writes of a subject must be known with certainty; a Kueue is judged by all that no other
    # actor wrote.
    if not (context.cluster.recorder.knows_users if context.subject else named):
        return Judgement(story=case_story)
    permits, former = context.about.permits, context.former_dialect
    return Judgement(story=case_story, broken=tuple(judge(case_story, context.dialect, permits, former)))


def story(context: CaseContext) -> Story:
    """Return the changes of the case's objects, the subject's requests, and the writes of Kueue that were
    refused.
    """
    recorder, ours = context.cluster.recorder, context.client.owns
    refused = [
        request
        for request in recorder.refused_writes()
        if ours(request.kind, request.namespace, request.name)
    ]
    job_kind = context.subject.job_kind if context.subject else None
    case_story = Story(
        # On a shared cluster the recorder has the objects of other cases too.
        changes=[change for change in recorder.changes() if ours(change.kind, change.namespace, change.name)],
        attempts=[
            attempt for attempt in recorder.attempts() if ours(attempt.kind, attempt.namespace, attempt.name)
        ]
        if context.subject
        else refused,
        controller=context.subject.controller_name if context.subject else "",
        # All of them, not the case's alone: lists and watches may be over all namespaces.
        requests=recorder.requests() if context.subject else [*refused, *_cloud_requests(context)],
        questions=[question for question in _questions(context) if ours("", question.namespace, "")],
        skew=context.skew,
        until=context.cluster.now(),
        kinds=recorder.kinds,
        job_fields=job_kind.fields if job_kind else None,
        judges_own_jobs=context.about.judges_own_jobs and context.subject is None,
    )
    return _with_slowdown(context, case_story, 1.0)


def _with_slowdown(context: CaseContext, case_story: Story, slowdown: float) -> Story:
    """Return a story with the seconds and the rests of a machine on which everything takes so many times
    longer.
    """
    timeout_scale = context.budgets.scale * slowdown
    # On virtual time the cluster is at rest when it says so.
    reaction_seconds = 0.0 if context.budgets.virtual else notice_seconds(timeout_scale)
    settled = settled_revisions(context.rests, context.cluster.recorder, reaction_seconds)
    return replace(case_story, timeout_scale=timeout_scale, settled=tuple(settled))


def _cloud_requests(context: CaseContext) -> Sequence[Request]:
    """Return an autoscaler's calls to its cloud, as requests for node groups."""
    return [
        Request(
            at=call.at,
            verb=call.method,
            resource=NODE_GROUPS,
            name=call.group,
            # A cloud has no HTTP codes; the rules read a refusal by one.
            code=400 if call.refused else 200,
            message=call.refused,
        )
        for call in (context.autoscaler.calls if context.autoscaler else ())
    ]


def _questions(context: CaseContext) -> Sequence[Question]:
    return context.subject.verdicts.questions() if context.subject else ()


def lines_of(violations: Sequence[Violation]) -> list[str]:
    """Return a line for each breach; for a rule with many
    breaches the first ones and the number of the others.
    """
    times: dict[str, list[Violation]] = {}
    for violation in violations:
        times.setdefault(violation.rule, []).append(violation)
    return [
        line for group in times.values() for line in (*map(_line, group[:_SHOWN]), *_more(group[_SHOWN:]))
    ]


def _line(violation: Violation) -> str:
    at = f" at rv {violation.revision}" if violation.revision else ""
    return f"{violation.rule}  {violation.object_name}{at}: {violation.text}"


def _more(violations: Sequence[Violation]) -> list[str]:
    return [f"{violations[0].rule}  and {len(violations)} more like that"] if violations else []


def enforce(context: CaseContext, violations: Sequence[Violation], *, strict: bool) -> None:
    """Raise Nonconformance, named for the rules, for breaches that count."""
    # SHOULD and MAY are told and do not fail a case, unless --strict says so.
    levels = binding(strict=strict)
    counted = [violation for violation in violations if violation.level in levels]
    if not counted:
        return
    rules = ", ".join(dict.fromkeys(violation.rule for violation in counted))
    subject_kind = _judged_program(context)
    wordings = tuple(
        dict.fromkeys(f"{violation.rule}  {subject_kind} {violation.wording}" for violation in counted)
    )
    observed = under("observed", lines_of(counted))
    explanation = "\n".join(
        [
            f"{rules}  [{context.dialect.name}] safety rules, judged over {context.scenario}",
            *under("expected", wordings),
            *observed,
            *story_of(context, observed),
        ]
    )
    raise Nonconformance(explanation, code=rules)


def _judged_program(context: CaseContext) -> str:
    """Return the kind of program that the safety rules judge."""
    if context.subject:
        return "a job integration" if context.subject.job_kind else "a check controller"
    return "an autoscaler" if context.autoscaler else "a control plane"
