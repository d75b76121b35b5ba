"""How one resource of one flavor suits a Workload (scheduling §5.3)."""

from __future__ import annotations

from ..quota.borrowing import borrow_level
from ..quota.resources import FlavorResource
from ..quota.tree import fits_now, potential
from ..workload.view import Workload
from . import texts
from .assignment_context import AssignmentContext
from .granular_mode import NO_FIT, GranularMode, PreemptionMode


def fit_quota(
    context: AssignmentContext, workload: Workload, fr: FlavorResource, before: int, request: int
) -> tuple[GranularMode, str]:
    """Grade it, with the reason when it does not simply fit;
    `before` is what earlier pod sets take (Q-165…Q-169).
    """
    node, value = context.node, before + request
    most = potential(node, fr)
    # Not even an empty cohort has so much: preemption is pointless.
    if value > most:
        return NO_FIT, texts.never_fits(fr, before, request, most)
    level = borrow_level(node, fr, value)
    free = fits_now(node, fr)
    if value <= free:
        return GranularMode(PreemptionMode.FIT, level.height), ""
    why = texts.insufficient_unused(fr, value - free)
    may_borrow = context.preemptor.may_borrow(context.spec.preemption)
    # Preemption may take back only what is ours, or what the policies let us borrow
    # over.
    if node.quota(fr).nominal >= value or level.within_subtree or may_borrow:
        return _simulate(context, workload, fr, value, level.height), why
    return GranularMode(PreemptionMode.NO_FIT, level.height), why


def _simulate(
    context: AssignmentContext, workload: Workload, fr: FlavorResource, value: int, height: int
) -> GranularMode:
    """Ask whether preemption would make room for this resource alone (Q-168)."""
    name, preemptor = context.spec.name, context.preemptor
    targets = preemptor.targets(workload, name, {fr: value}, frozenset({fr}))
    if not targets:
        return GranularMode(PreemptionMode.NO_PREEMPTION_CANDIDATES, height)
    # With its targets gone the head may have to borrow less.
    with preemptor.without(targets):
        height = borrow_level(context.node, fr, value).height
    # One victim of the own queue is enough to call it a preemption and not a
    # reclamation.
    own = any(target.holding.cluster_queue == name for target in targets)
    return GranularMode(PreemptionMode.PREEMPT if own else PreemptionMode.RECLAIM, height)
