"""Wrong about planned preemptions: what is reserved before its victims have left, and when they leave (AC-440…445, AC-464…489)."""

from dataclasses import replace
from functools import partial

from reference_impl.api.crds.edition import Edition
from reference_impl.checks import preemption_policy
from reference_impl.checks.entries import Checks
from reference_impl.quota.ledger import Ledger
from reference_impl.scheduling import outcomes, scheduler
from reference_impl.scheduling.planning import Plan, PlannedState
from reference_impl.scheduling.plans import PlannedPreemptions
from reference_impl.scheduling.preemption import classical
from reference_impl.scheduling.preemption.targets import Reason, Target
from reference_impl.workload import kep, messages, metrics, surroundings, verdicts
from reference_impl.workload.decision import Decision
from reference_impl.workload.draft import Draft
from reference_impl.workload.rules import Eviction
from reference_impl.workload.triggers import Triggers
from reference_impl.workload.world import Outlook

from ..killing import planes

wrong = partial(planes.wrong, dialect="kep993")
READY, PENDING = "Ready", "Pending"


# -- what is reserved -------------------------------------------------------------------------------------------------


@wrong((PlannedPreemptions, "reserves_first"))
def preempts_before_it_reserves(_, *args):
    """Breaks AC-440: preempts first and reserves once quota is free, as the releases do; ADM-500 must catch it."""
    return False


@wrong((PlannedPreemptions, "reserves_first"))
def reserves_first_without_checks(_, *args):
    """Breaks AC-477: reserves before its victims have left also where no check is asked; ADM-511 must catch it."""
    return True


@wrong((kep, "admit"))
def admits_while_victims_stop(_, workload, world, now, rules):
    """Breaks AC-473: admits as soon as the checks have passed, whatever its victims still hold; ADM-501 must catch it."""
    return kep.verdicts.admit(workload, world, now, rules)


@wrong((PlannedPreemptions, "outlook"))
def waits_for_no_victim_that_was_told(outlook, self, workload):
    """Breaks AC-473: admits once its victims were told to go; rule AC-473 in ADM-528 must catch it."""
    found = outlook(self, workload)
    return found if found.unissued or found.objection else replace(found, covered=True)


@wrong((PlannedState, "is_free"))
def lends_what_a_plan_will_free(_, *args):
    """Breaks AC-469: gives others what is free only once planned victims have left; ADM-503 must catch it."""
    return True


@wrong((PlannedState, "is_free"))
def lends_nothing_beside_plans(right, self, cluster_queue, usage, targets=()):
    """Breaks AC-469: gives nobody anything while a preemption is planned; ADM-504 must catch it."""
    return not any(plan.waits for plan in self.plans.values())


@wrong((PlannedState, "_let_go"))
def plans_a_victim_for_several(_, self, victims):
    """Breaks AC-469: lets several reservations count on one victim; ADM-502 must catch it."""
    for victim in victims:
        self.ledger.forest.remove(victim.holding.cluster_queue, victim.holding.usage)


@wrong((PlannedState, "_in_order"))
def serves_the_oldest_plan_first(right, self, names, may_preempt):
    """Breaks AC-469: gives what one's victim has left to an older reservation; ADM-505 must catch it."""
    return right(self, names, frozenset())


@wrong((Ledger, "_await"))
def counts_on_no_plan_after_all(_, self, holding):
    """Breaks AC-441: forgets that a reservation counts on victims; ADM-500 must catch it."""


@wrong((Triggers, "on_holding"))
def overlooks_that_a_victim_has_left(_, *args):
    """Breaks AC-473: does not notice that the last victim has left; ADM-501 must catch it."""


@wrong((PlannedPreemptions, "outlook"))
def waits_for_victims_that_are_gone(outlook, self, workload):
    """Breaks AC-470: waits for a planned victim that has ended by itself; ADM-506 must catch it."""
    found = outlook(self, workload)
    if workload.awaits_victims and not found.preemptions and not found.objection:
        return Outlook(preemptions=1, covered=False)
    return found


@wrong((PlannedState, "_place"))
def loses_the_reservation_with_a_victim(place, self, holding, *, displaces):
    """Breaks AC-470: sends a Workload back when its planned victims have ended by themselves; ADM-506 must catch it."""
    again = place(self, holding, displaces=displaces)
    if not self.plans[holding.workload.key].victims:
        self.plans[holding.workload.key] = Plan(holding, objection="its victim is gone")
    return again


@wrong((classical, "collect"))
def spares_what_only_holds_a_reservation(collect, claim, ledger, is_active):
    """Breaks AC-447: preempts nobody who is not admitted; ADM-507 must catch it."""
    found = collect(claim, ledger, is_active)
    for kind in (found.own, found.hierarchical, found.by_priority):
        kind[:] = [each for each in kind if each.holding.admitted]
    return found


@wrong((classical, "collect"))
def preempts_only_what_holds_a_reservation(collect, claim, ledger, is_active):
    """Breaks AC-447: preempts nobody who is admitted; ADM-500 must catch it."""
    found = collect(claim, ledger, is_active)
    for kind in (found.own, found.hierarchical, found.by_priority):
        kind[:] = [each for each in kind if not each.holding.admitted]
    return found


@wrong((kep, "reset"))
def keeps_verdicts_on_the_preempted(_, checks, now):
    """Breaks AC-448: leaves what checks said about a Workload that is preempted; ADM-507 must catch it."""
    return checks


@wrong((PlannedState, "weaker"))
def waits_for_the_checks_of_the_less_important(_, *args):
    """Breaks AC-472: lets no Workload pass a reservation that waits for victims; ADM-508 must catch it."""
    return ()


@wrong((PlannedState, "_place"))
def sends_back_whoever_gave_way(place, self, holding, *, displaces):
    """Breaks AC-470: takes a reservation back because its victim leaves for another one; ADM-509 must catch it."""
    again = place(self, holding, displaces=displaces)
    for each in again:
        self.plans[each.workload.key] = Plan(each, objection="somebody more important has come")
    return []


@wrong((PlannedPreemptions, "victims"), (PlannedPreemptions, "reserves_first"))
def forgets_plans_with_a_restart(right, self, *args):
    """Breaks AC-471: preempts only for reservations that it has made since it was started; ADM-512 must catch it."""
    made = _MADE.setdefault(id(self.ledger), [])
    if len(args) == 2:
        made.append(right(self, *args))
        return made[-1]
    return right(self, *args) if made else ()


_MADE = {}


# -- when victims leave ------------------------------------------------------------------------------------------------


def wrong_moment(function):
    """Mark what tells in place of the reference when preemptions are issued, for the plans and for the state machine."""
    return wrong((preemption_policy, "may_preempt"))(function)


@wrong_moment
def never_delays_preemptions(_, checks, policies):
    """Breaks AC-443: preempts as soon as quota is reserved; ADM-521 must catch it."""
    return True


@wrong_moment
def delays_until_all_have_passed(_, checks, policies):
    """Breaks AC-466: waits for the checks with the policy Anytime as well; ADM-521 must catch it."""
    return checks.ask_for_preemption or checks.all_ready


@wrong_moment
def preempts_when_the_first_has_passed(_, checks, policies):
    """Breaks AC-443: waits for one of the checks that delay preemptions; ADM-521 must catch it."""
    waited_for = preemption_policy.delaying(checks.names, policies)
    passed = {one["name"] for one in checks.in_state(READY)}
    return checks.ask_for_preemption or not waited_for or bool(waited_for & passed)


@wrong_moment
def delays_what_need_not_be(_, checks, policies):
    """Breaks AC-443: preempts only after some check has passed or has asked for it; ADM-520 must catch it."""
    passed = {one["name"] for one in checks.in_state(READY)}
    asked = checks.ask_for_preemption
    return asked or (bool(passed) and preemption_policy.delaying(checks.names, policies) <= passed)


@wrong_moment
def hears_only_those_that_delay(right, checks, policies):
    """Breaks AC-464: hears no request of a check with the policy Anytime; ADM-522 must catch it."""
    delaying = preemption_policy.delaying(checks.names, policies)
    own = Checks(tuple(one for one in checks.entries if one["name"] in delaying))
    return right(own, policies)


@wrong_moment
def wants_all_to_ask(right, checks, policies):
    """Breaks AC-443: preempts on demand when every undecided check asks for it; ADM-522 must catch it."""
    asks = [one.get("reason") == "PreemptionRequired" for one in checks.in_state(PENDING)]
    without = Checks(tuple({**one, "reason": ""} for one in checks.entries))
    return right(without, policies) or (bool(asks) and all(asks))


@wrong_moment
def takes_a_request_for_a_verdict(right, checks, policies):
    """Breaks AC-444: counts a check that asks for preemptions as passed, and waits for the others; ADM-522 must catch it."""
    waited_for = preemption_policy.delaying(checks.names, policies)
    content = {one["name"] for one in checks.entries if one["state"] == READY or one.get("reason")}
    return waited_for <= content


@wrong_moment
def remembers_that_a_check_has_passed(right, checks, policies):
    """Breaks AC-467: counts a check that has passed once and is undecided again; ADM-526 must catch it."""
    names = checks.names
    seen = _PASSED.setdefault(names, set())
    seen |= {one["name"] for one in checks.in_state(READY)}
    return right(checks, policies) or preemption_policy.delaying(names, policies) <= seen


_PASSED = {}


@wrong((Checks, "ask_for_preemption"))
def hears_no_request(_, checks):
    """Breaks AC-444: takes no notice of PreemptionRequired; ADM-522 must catch it."""
    return False


@wrong((Checks, "ask_for_preemption"))
def knows_no_older_name_of_the_request(_, checks):
    """Breaks AC-462: takes no notice of BookQuotaRequired; ADM-523 must catch it."""
    return any(one.get("reason") == "PreemptionRequired" for one in checks.in_state(PENDING))


@wrong((Checks, "ask_for_preemption"))
def hears_requests_of_checks_that_have_passed(right, checks):
    """Breaks AC-465: hears a request also from a check that has passed; ADM-524 must catch it."""
    return right(checks) or any("Required" in one.get("reason", "") for one in checks.in_state(READY))


@wrong((Checks, "ask_for_preemption"))
def takes_any_reason_for_a_request(_, checks):
    """Breaks AC-485: preempts for any reason that an undecided check gives; ADM-524 must catch it."""
    return any(one.get("reason") for one in checks.in_state(PENDING))


@wrong((Checks, "in_state"))
def judges_by_reasons(right, checks, state):
    """Breaks AC-485: sends a Workload back for the reason Retry or Reject of a check that is not negative; ADM-524 must catch it."""
    meant = {"Retry": "Retry", "Rejected": "Reject"}.get(state)
    return right(checks, state) or tuple(
        one for one in checks.entries if meant and one.get("reason") == meant
    )


@wrong((kep, "preempted"))
def preempts_for_the_refused(_, workload, world, now, rules):
    """Breaks AC-450: preempts for a Workload whatever its checks say; ADM-525 must catch it."""
    return Decision(preempt=True, again_after=0.1) if world.outlook.unissued else None


@wrong((kep, "told"))
def evicts_what_asks_in_vain(told, workload, world, now, rules):
    """Breaks AC-468: evicts a Workload whose check asks for preemptions that are not needed; ADM-528 must catch it."""
    waits = workload.reserved and not workload.admitted and not workload.evicted
    if not waits or not workload.checks.ask_for_preemption or world.outlook.preemptions:
        return told(workload, world, now, rules)
    why = Eviction("Preempted", "nobody can be preempted")
    return rules.evict(workload, Draft.of(workload, now), why, rules)


@wrong((surroundings.Surroundings, "_preemption_policies"))
def reads_policies_once(right, self, workload):
    """Breaks AC-488: knows the policy of a check as it was when it was read first; ADM-529 must catch it."""
    for name, policy in right(self, workload).items():
        _READ.setdefault(name, policy)
    return {name: _READ[name] for name in workload.checks.names if name in _READ}


_READ = {}


@wrong((Triggers, "on_quota"))
def looks_at_no_policy_again(right, self, old, new):
    """Breaks AC-488: does not notice that the policy of a check has changed; ADM-529 must catch it."""
    if (new or old)["kind"] != "AdmissionCheck":
        right(self, old, new)


@wrong((surroundings.Surroundings, "_preemption_policies"))
def forgets_policies_of_inactive_checks(right, self, workload):
    """Breaks AC-488: lets a check that cannot be used delay nothing; ADM-530 must catch it."""
    found = dict(right(self, workload))
    for name, check in self._checks(workload).items():
        conditions = ((check or {}).get("status") or {}).get("conditions") or ()
        if not any((one["type"], one["status"]) == ("Active", "True") for one in conditions):
            found[name] = "Anytime"
    return found


@wrong((scheduler.Scheduler, "_delayed"))
def tells_no_delay(_, *args):
    """Breaks AC-489: does not tell that preemptions are delayed; ADM-531 should catch it."""
    return ""


@wrong((scheduler.Scheduler, "_delayed"))
def always_tells_of_a_delay(_, *args):
    """Breaks AC-489: tells of a delay also where nothing delays preemptions; ADM-531 should catch it."""
    return "preemptions are delayed"


@wrong((outcomes.Writer, "_tell"))
def tells_of_a_delay_twice(tell, self, outcome, stored):
    """Breaks AC-489: tells twice that preemptions are delayed; ADM-531 should catch it."""
    tell(self, outcome, stored)
    if outcome.delayed:
        self._recorder.normal(stored, "PreemptionsDelayed", outcome.delayed)


@wrong((kep, "told"))
def keeps_the_count_of_preemptions(right, workload, world, now, rules):
    """Breaks AC-489: says how many preemptions it waits for as it was at first, until there is none; ADM-532 may catch it."""
    return None if world.outlook.preemptions else right(workload, world, now, rules)


@wrong((messages, "with_preemptions"))
def counts_one_preemption_for_all(right, message, count):
    """Breaks AC-489: says that it waits for one preemption when it waits for several; ADM-532 may catch it."""
    return right(message, min(count, 1))


# -- what is looked at again -------------------------------------------------------------------------------------------


@wrong((PlannedState, "_victims"))
def preempts_more_than_it_needs(victims, self, holding):
    """Breaks AC-471: has all victims of the first plan leave although fewer would do by now; ADM-540 must catch it."""
    known = _PLANNED.setdefault(holding.workload.key, victims(self, holding))
    return tuple(each for each in known or () if each.holding.workload.key in self.ledger.holdings) or None


@wrong((PlannedState, "_victims"))
def preempts_who_has_become_important(victims, self, holding):
    """Breaks AC-471: has a victim leave that was planned when it might be preempted; ADM-541 must catch it."""
    found = victims(self, holding)
    if found:
        _PLANNED[holding.workload.key] = found
    return _PLANNED.get(holding.workload.key) if found is None else found


_PLANNED = {}


@wrong((PlannedState, "_overdrawn"))
def plans_nothing_anew(_, *args):
    """Breaks AC-449: does not notice that a reservation needs preemptions by now; ADM-542 must catch it."""
    return []


@wrong((PlannedState, "_victims"))
def gives_back_what_needs_preemption(victims, self, holding):
    """Breaks AC-449: gives a reservation back that could be kept by a preemption; ADM-542 must catch it."""
    found = victims(self, holding)
    return found if holding.awaits_victims or not found else None


@wrong((kep, "rechecked"))
def keeps_a_plan_without_its_flavor(rechecked, workload, world, now, rules):
    """Breaks AC-474: looks at quota again, and not at flavors; ADM-543 must catch it."""
    return (
        None if "no longer available" in world.outlook.objection else rechecked(workload, world, now, rules)
    )


@wrong((kep, "_without_reason"))
def remembers_what_was_asked_for(_, old, new):
    """Breaks AC-482: keeps a request for preemptions when a Workload loses its reservation; ADM-545 must catch it."""
    return {**new, "reason": old["reason"]} if "reason" in old else new


@wrong((surroundings.Surroundings, "_outlook"))
def admits_unchecked_on_a_lost_flavor(_, *args):
    """Breaks AC-449: as v0.19 does, drops the checks for all flavors with the flavor and admits (C-03); ADM-546 must catch it."""
    return Outlook()


@planes.wrong((Edition, "_within"))
def keeps_a_policy_that_no_release_knows(within, self, era):
    """Breaks AC-460: serves the fields of the KEP in every version; ADM-534 may catch it."""
    return bool(era.only) or within(self, era)


# -- one more for each scenario -----------------------------------------------------------------------------------------


@wrong((classical, "collect"))
def plans_nobody_in_other_queues(collect, claim, ledger, is_active):
    """Breaks AC-447: plans no victims in the queues of the cohort; ADM-510 must catch it."""
    found = collect(claim, ledger, is_active)
    found.hierarchical.clear()
    found.by_priority.clear()
    return found


@wrong((kep, "preempted"))
def gives_up_what_withdraws_its_request(preempted, workload, world, now, rules):
    """Breaks AC-467: gives a Workload up whose check withdraws a request after victims were told; ADM-527 must catch it."""
    told = world.outlook.preemptions and not world.outlook.unissued
    if told and not rules.may_preempt(workload.checks, world.preemption_policies):
        return kep.activity.deactivated(workload)
    return preempted(workload, world, now, rules)


@wrong((PlannedState, "_victims"))
def preempts_in_vain(victims, self, holding):
    """Breaks AC-471: has victims leave although that does not make enough room; ADM-544 must catch it."""
    less = (each for each in self.ledger.holders(holding.cluster_queue) if each.priority < holding.priority)
    return victims(self, holding) or tuple(Target(each, Reason.IN_CLUSTER_QUEUE) for each in less) or None


@planes.wrong((verdicts, "admit"))
def admits_nothing_on_a_lost_flavor(admit, workload, world, now, rules):
    """Breaks D-04: in a release keeps what lost its flavor from being admitted; ADM-547 may catch it."""
    return admit(workload, world, now, rules) if workload.used_flavors <= world.flavors else None


@planes.wrong((metrics, "eviction_latency"))
def measures_no_preemption(latency, workload, now):
    """Breaks AC-300: measures how long evictions take, but for preemptions; ADM-090 may catch it."""
    return () if workload.is_true("Preempted") else latency(workload, now)


@planes.wrong((Checks, "reset"))
def starts_a_preempted_job_unchecked(_, checks, now):
    """Breaks AC-345: leaves what checks said at an eviction, so that a Job starts on another flavor unchecked; ADM-124 must catch it."""
    return checks
