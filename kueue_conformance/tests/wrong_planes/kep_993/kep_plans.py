"""Wrong about plans: what is reserved before its victims have left, and what is looked at again (AC-440,
AC-441, AC-447…449, AC-469…477).
"""

from dataclasses import replace
from functools import partial

from reference_impl.kueue.quota.usage_cache import UsageCache
from reference_impl.kueue.scheduling.planning import PlannedState, PreemptionPlan
from reference_impl.kueue.scheduling.plans import PlannedPreemptions
from reference_impl.kueue.scheduling.preemption import classical
from reference_impl.kueue.scheduling.preemption.targets import PreemptionReason, PreemptionTarget
from reference_impl.kueue.workload import context_reader, kep
from reference_impl.kueue.workload.triggers import Triggers
from reference_impl.kueue.workload.workload_context import ReservationState

from ...killing import planes

wrong = partial(planes.wrong, dialect="kep993")


# What is reserved


@wrong((PlannedPreemptions, "reserves_first"))
def preempts_before_it_reserves(_, *args):
    """Breaks AC-440: preempts first and reserves once quota is free,
    as the releases do; ADM-500 must catch it.
    """
    return False


@wrong((PlannedPreemptions, "reserves_first"))
def reserves_first_without_checks(_, *args):
    """Breaks AC-477: reserves before its victims have left
    also where no check is asked; ADM-511 must catch it.
    """
    return True


@wrong((kep, "admit"))
def admits_while_victims_stop(_, workload, world, current_time, rules):
    """Breaks AC-473: admits as soon as the checks have passed,
    whatever its victims still hold; ADM-501 must catch it.
    """
    return kep.verdicts.admit(workload, world, current_time, rules)


@wrong((PlannedPreemptions, "reservation_state"))
def waits_for_no_victim_that_was_told(outlook, self, workload):
    """Breaks AC-473: admits once its victims were told to go; rule AC-473 in ADM-528 must catch it."""
    reservation = outlook(self, workload)
    return (
        reservation
        if reservation.has_unissued_preemptions or reservation.objection
        else replace(reservation, is_covered=True)
    )


@wrong((PlannedState, "is_free"))
def lends_what_a_plan_will_free(_, *args):
    """Breaks AC-469: gives others quota that is free only
    once planned victims have left; ADM-503 must catch it.
    """
    return True


@wrong((PlannedState, "is_free"))
def lends_nothing_beside_plans(right, self, cluster_queue, usage, targets=()):
    """Breaks AC-469: gives no quota to any Workload while a preemption is planned; ADM-504 must catch it."""
    return not any(plan.waits for plan in self.plans.values())


@wrong((PlannedState, "_let_go"))
def plans_a_victim_for_several(_, self, victims):
    """Breaks AC-469: lets several reservations count on one victim; ADM-502 must catch it."""
    for victim in victims:
        self.ledger.cohort_trees.remove(victim.holding.cluster_queue, victim.holding.usage)


_EARLIER = {}
"""All plans that a tree ever had, by the names of its queues."""


@wrong((PlannedState, "derive"))
def keeps_victims_for_who_is_gone(right, self, names, may_preempt, before):
    """Breaks AC-470: plans no victim anew that was planned
    for a Workload which is gone; ADM-596 should catch it.
    """
    earlier = _EARLIER.setdefault(frozenset(names), {})
    earlier.update(before)
    return right(self, names, may_preempt, {**earlier})


@wrong((PlannedState, "_in_order"))
def serves_the_oldest_plan_first(right, self, names, may_preempt):
    """Breaks AC-469: gives what one's victim has left to an older reservation;
    ADM-505[1-first] must catch it.
    """
    return right(self, names, frozenset())


@wrong((UsageCache, "_await"))
def counts_on_no_plan_after_all(_, self, holding):
    """Breaks AC-441: forgets that a reservation counts on victims; ADM-500 must catch it."""


@wrong((Triggers, "on_holding"))
def overlooks_that_a_victim_has_left(_, *args):
    """Breaks AC-473: does not notice that the last victim has left; ADM-501 must catch it."""


@wrong((PlannedPreemptions, "reservation_state"))
def waits_for_victims_that_are_gone(outlook, self, workload):
    """Breaks AC-470: waits for a planned victim that has ended by itself; ADM-506 must catch it."""
    reservation = outlook(self, workload)
    if workload.is_awaiting_victims and not reservation.preemptions and not reservation.objection:
        return ReservationState(preemptions=1, is_covered=False)
    return reservation


@wrong((PlannedState, "_place"))
def loses_the_reservation_with_a_victim(right, self, holding, promised, *, displaces):
    """Breaks AC-470: sends a Workload back when its planned
    victims have ended by themselves; ADM-506 must catch it.
    """
    repeated = right(self, holding, promised, displaces=displaces)
    if not self.plans[holding.workload.key].victims:
        self.plans[holding.workload.key] = PreemptionPlan(holding, objection="its victim is gone")
    return repeated


@wrong((classical, "collect"))
def spares_what_only_holds_a_reservation(collect, claim, ledger, is_active):
    """Breaks AC-447: preempts no Workload that is not admitted; ADM-507 must catch it."""
    candidates = collect(claim, ledger, is_active)
    for candidate_list in (candidates.own, candidates.hierarchical, candidates.by_priority):
        candidate_list[:] = [candidate for candidate in candidate_list if candidate.holding.is_admitted]
    return candidates


@wrong((classical, "collect"))
def preempts_only_what_holds_a_reservation(collect, claim, ledger, is_active):
    """Breaks AC-447: preempts no Workload that is admitted; ADM-500 must catch it."""
    candidates = collect(claim, ledger, is_active)
    for candidate_list in (candidates.own, candidates.hierarchical, candidates.by_priority):
        candidate_list[:] = [candidate for candidate in candidate_list if not candidate.holding.is_admitted]
    return candidates


@wrong((kep, "reset"))
def keeps_verdicts_on_the_preempted(_, checks, current_time):
    """Breaks AC-448: leaves what checks said about a Workload that is preempted;
    ADM-507[Ready] must catch it.
    """
    return checks


@wrong((PlannedState, "weaker"))
def waits_for_the_checks_of_the_less_important(_, *args):
    """Breaks AC-472: lets no Workload pass a reservation that waits for victims; ADM-508 must catch it."""
    return ()


@wrong((PlannedState, "_place"))
def sends_back_whoever_gave_way(right, self, holding, promised, *, displaces):
    """Breaks AC-470: takes a reservation back because its
    victim leaves for another one; ADM-509 must catch it.
    """
    repeated = right(self, holding, promised, displaces=displaces)
    for item in repeated:
        self.plans[item.workload.key] = PreemptionPlan(item, objection="somebody more important has come")
    return []


@wrong((PlannedPreemptions, "victims"), (PlannedPreemptions, "reserves_first"))
def forgets_plans_with_a_restart(right, self, *args):
    """Breaks AC-471: preempts only for reservations that it
    has made since it was started; ADM-512 must catch it.
    """
    _, created = _MADE.setdefault(id(self.ledger), (self.ledger, []))
    if len(args) == 2:
        created.append(right(self, *args))
        return created[-1]
    return right(self, *args) if created else ()


_MADE = {}
"""By ledger, which is kept with them: another one could come to lie where it was, and be taken for it."""


@wrong((classical, "collect"))
def plans_nobody_in_other_queues(collect, claim, ledger, is_active):
    """Breaks AC-447: plans no victims in the queues of the cohort; ADM-510 must catch it."""
    candidates = collect(claim, ledger, is_active)
    candidates.hierarchical.clear()
    candidates.by_priority.clear()
    return candidates


@wrong((PlannedState, "_victims"))
def preempts_in_vain(victims, self, holding, promised):
    """Breaks AC-471: has victims leave although that does not make enough room; ADM-544 must catch it."""
    less = (
        holder for holder in self.ledger.holders(holding.cluster_queue) if holder.priority < holding.priority
    )
    return (
        victims(self, holding, promised)
        or tuple(PreemptionTarget(candidate, PreemptionReason.IN_CLUSTER_QUEUE) for candidate in less)
        or None
    )


# What is looked at again


@wrong((PlannedState, "_victims"))
def preempts_more_than_it_needs(victims, self, holding, promised):
    """Breaks AC-471: has all victims of the first plan leave
    although fewer would do by now; ADM-540 must catch it.
    """
    planned = _PLANNED.setdefault(holding.workload.key, victims(self, holding, promised))
    return (
        tuple(
            known_item
            for known_item in planned or ()
            if known_item.holding.workload.key in self.ledger.holdings
        )
        or None
    )


@wrong((PlannedState, "_victims"))
def preempts_who_has_become_important(victims, self, holding, promised):
    """Breaks AC-471: has a victim leave that was planned
    when it might be preempted; ADM-541 must catch it.
    """
    preemption_victims = victims(self, holding, promised)
    if preemption_victims:
        _PLANNED[holding.workload.key] = preemption_victims
    return _PLANNED.get(holding.workload.key) if preemption_victims is None else preemption_victims


_PLANNED = {}


@wrong((PlannedState, "_is_overdrawn"))
def plans_nothing_anew(_, *args):
    """Breaks AC-449: does not notice that a reservation needs preemptions by now; ADM-542 must catch it."""
    return False


@wrong((PlannedState, "_victims"))
def gives_back_what_needs_preemption(victims, self, holding, promised):
    """Breaks AC-449: gives a reservation back that could be kept by a preemption; ADM-542 must catch it."""
    preemption_victims = victims(self, holding, promised)
    return preemption_victims if holding.awaits_victims or not preemption_victims else None


@wrong((kep, "recheck"))
def keeps_a_plan_without_its_flavor(rechecked, workload, world, current_time, rules):
    """Breaks AC-474: looks at quota again, and not at flavors; ADM-543 must catch it."""
    return (
        None
        if "no longer available" in world.outlook.objection
        else rechecked(workload, world, current_time, rules)
    )


@wrong((kep, "_without_reason"))
def remembers_what_was_asked_for(_, old, new):
    """Breaks AC-482: keeps a request for preemptions when a
    Workload loses its reservation; ADM-545 must catch it.
    """
    return {**new, "reason": old["reason"]} if "reason" in old else new


@wrong((context_reader.WorldReader, "_outlook"))
def admits_unchecked_on_a_lost_flavor(_, *args):
    """Breaks AC-449: as v0.19 does, drops the checks for all flavors with the flavor and admits (C-03);
    ADM-546 must catch it.
    """
    return ReservationState()


@wrong((UsageCache, "remove"))
def keeps_the_plan_of_one_that_is_gone(remove, ledger, key):
    """Breaks AC-469: plans for a reservation that is gone; ADM-583 must catch it."""
    before = ledger.awaiting.get(key)
    remove(ledger, key)
    if before is not None:
        ledger.awaiting[key] = before


@wrong((PlannedPreemptions, "reservation_state"))
def lets_reservations_stand_in_a_circle(outlook, self, workload):
    """Breaks AC-474: lets a reservation stand while its cohorts form a circle; ADM-584 must catch it."""
    holding = self.ledger.holdings.get(workload.key)
    if holding is not None and self._root(holding.cluster_queue) is None:
        return ReservationState()
    return outlook(self, workload)
