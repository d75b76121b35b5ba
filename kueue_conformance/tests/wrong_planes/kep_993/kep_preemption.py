"""Wrong about the time of preemptions: when victims leave, what is told of it, and what becomes of them
(AC-443…445, AC-464…468, AC-485…489).
"""

from functools import partial

from reference_impl.api.crds.edition import Edition
from reference_impl.kueue.checks import preemption_policy
from reference_impl.kueue.checks.entries import Checks
from reference_impl.kueue.scheduling import outcomes, scheduler
from reference_impl.kueue.workload import context_reader, kep, messages, metrics, verdicts
from reference_impl.kueue.workload.decision import Decision
from reference_impl.kueue.workload.draft import StatusDraft
from reference_impl.kueue.workload.rules import Eviction
from reference_impl.kueue.workload.triggers import Triggers

from ...killing import planes

wrong = partial(planes.wrong, dialect="kep993")
READY, PENDING = "Ready", "Pending"


def wrong_moment(function):
    """Mark what tells in place of the reference when preemptions are issued,
    for the plans and for the state machine.
    """
    return wrong((preemption_policy, "may_preempt"))(function)


@wrong_moment
def never_delays_preemptions(_, checks, policies):
    """Breaks AC-443: preempts as soon as quota is reserved; ADM-521 must catch it."""
    return True


@wrong_moment
def delays_until_all_have_passed(_, checks, policies):
    """Breaks AC-466: waits for the checks with the policy Anytime as well;
    ADM-521[AfterCheckPassedOrOnDemand+None-no-passes-0-last] must catch it.
    """
    return checks.ask_for_preemption or checks.are_all_ready


@wrong_moment
def preempts_when_the_first_has_passed(_, checks, policies):
    """Breaks AC-443: waits for one of the checks that delay preemptions;
    ADM-521[AfterCheckPassedOrOnDemand+AfterCheckPassedOrOnDemand-0-1-last] must catch it.
    """
    waited_for = preemption_policy.delaying(checks.names, policies)
    passed = {entry["name"] for entry in checks.in_state(READY)}
    return checks.ask_for_preemption or not waited_for or bool(waited_for & passed)


@wrong_moment
def delays_what_need_not_be(_, checks, policies):
    """Breaks AC-443: preempts only after some check has passed or has asked for it; ADM-520 must catch it."""
    passed = {entry["name"] for entry in checks.in_state(READY)}
    ask_for_preemption = checks.ask_for_preemption
    return ask_for_preemption or (
        bool(passed) and preemption_policy.delaying(checks.names, policies) <= passed
    )


@wrong_moment
def hears_only_those_that_delay(right, checks, policies):
    """Breaks AC-464: hears no request of a check with the policy Anytime;
    ADM-522[AfterCheckPassedOrOnDemand+Anytime-1-asks] must catch it.
    """
    delaying = preemption_policy.delaying(checks.names, policies)
    own = Checks(tuple(entry for entry in checks.entries if entry["name"] in delaying))
    return right(own, policies)


@wrong_moment
def wants_all_to_ask(right, checks, policies):
    """Breaks AC-443: preempts on demand when every undecided check asks for it;
    ADM-522[AfterCheckPassedOrOnDemand+Anytime-1-asks] must catch it.
    """
    asks = [entry.get("reason") == "PreemptionRequired" for entry in checks.in_state(PENDING)]
    without = Checks(tuple({**entry, "reason": ""} for entry in checks.entries))
    return right(without, policies) or (bool(asks) and all(asks))


@wrong_moment
def takes_a_request_for_a_verdict(right, checks, policies):
    """Breaks AC-444: counts a check that asks for preemptions as passed, and waits for the others; ADM-522
    must catch it.
    """
    waited_for = preemption_policy.delaying(checks.names, policies)
    content = {entry["name"] for entry in checks.entries if entry["state"] == READY or entry.get("reason")}
    return waited_for <= content


@wrong_moment
def remembers_that_a_check_has_passed(right, checks, policies):
    """Breaks AC-467: counts a check that has passed once and is undecided again; ADM-526 must catch it."""
    names = checks.names
    passed = _PASSED.setdefault(names, set())
    passed |= {entry["name"] for entry in checks.in_state(READY)}
    return right(checks, policies) or preemption_policy.delaying(names, policies) <= passed


_PASSED = {}


@wrong((Checks, "ask_for_preemption"))
def hears_no_request(_, checks):
    """Breaks AC-444: takes no notice of PreemptionRequired; ADM-522 must catch it."""
    return False


@wrong((Checks, "ask_for_preemption"))
def knows_no_older_name_of_the_request(_, checks):
    """Breaks AC-462: takes no notice of BookQuotaRequired; ADM-523 must catch it."""
    return any(entry.get("reason") == "PreemptionRequired" for entry in checks.in_state(PENDING))


@wrong((Checks, "ask_for_preemption"))
def hears_requests_of_checks_that_have_passed(right, checks):
    """Breaks AC-465: hears a request also from a check that has passed; ADM-524 must catch it."""
    return right(checks) or any("Required" in entry.get("reason", "") for entry in checks.in_state(READY))


@wrong((Checks, "ask_for_preemption"))
def takes_any_reason_for_a_request(_, checks):
    """Breaks AC-485: preempts for any reason that an undecided check gives;
    ADM-524[Pending-Retry] must catch it.
    """
    return any(entry.get("reason") for entry in checks.in_state(PENDING))


@wrong((Checks, "in_state"))
def judges_by_reasons(right, checks, state):
    """Breaks AC-485: sends a Workload back for the reason Retry or Reject of a check that is not negative;
    ADM-524[Pending-Retry] must catch it.
    """
    meant = {"Retry": "Retry", "Rejected": "Reject"}.get(state)
    return right(checks, state) or tuple(
        entry for entry in checks.entries if meant and entry.get("reason") == meant
    )


@wrong((kep, "preempt_victims"))
def preempts_for_the_refused(_, workload, world, current_time, rules):
    """Breaks AC-450: preempts for a Workload whatever its checks say; ADM-525 must catch it."""
    return Decision(preempt=True, again_after=0.1) if world.outlook.has_unissued_preemptions else None


@wrong((kep, "report_preemptions"))
def evicts_what_asks_in_vain(right, workload, world, current_time, rules):
    """Breaks AC-468: evicts a Workload whose check asks for
    preemptions that are not needed; ADM-528 must catch it.
    """
    waits = workload.has_quota_reservation and not workload.is_admitted and not workload.is_evicted
    if not waits or not workload.checks.ask_for_preemption or world.outlook.preemptions:
        return right(workload, world, current_time, rules)
    why = Eviction("Preempted", "nobody can be preempted")
    return rules.evict(workload, StatusDraft.of(workload, current_time), why, rules)


@wrong((context_reader.WorldReader, "_preemption_policies"))
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


@wrong((context_reader.WorldReader, "_preemption_policies"))
def forgets_policies_of_inactive_checks(right, self, workload):
    """Breaks AC-488: lets a check that cannot be used delay nothing; ADM-530 must catch it."""
    policies = dict(right(self, workload))
    for name, check in self._checks(workload).items():
        conditions = ((check or {}).get("status") or {}).get("conditions") or ()
        if not any(
            (condition["type"], condition["status"]) == ("Active", "True") for condition in conditions
        ):
            policies[name] = "Anytime"
    return policies


@wrong((scheduler.Scheduler, "_delaying_checks"))
def tells_no_delay(_, *args):
    """Breaks AC-489: does not tell that preemptions are delayed; ADM-531 should catch it."""
    return ""


@wrong((scheduler.Scheduler, "_delaying_checks"))
def always_tells_of_a_delay(_, *args):
    """Breaks AC-489: reports a delay also where no check delays preemptions; ADM-531 should catch it."""
    return "preemptions are delayed"


@wrong((outcomes.OutcomeWriter, "_report"))
def tells_of_a_delay_twice(tell, self, outcome, stored):
    """Breaks AC-489: tells twice that preemptions are delayed; ADM-531 should catch it."""
    tell(self, outcome, stored)
    if outcome.delay_note:
        self._recorder.normal(stored, "PreemptionsDelayed", outcome.delay_note)


@wrong((kep, "report_preemptions"))
def keeps_the_count_of_preemptions(right, workload, world, current_time, rules):
    """Breaks AC-489: says how many preemptions it waits for as it was at first, until there is none; ADM-532
    may catch it.
    """
    return None if world.outlook.preemptions else right(workload, world, current_time, rules)


@wrong((messages, "with_preemptions"))
def counts_one_preemption_for_all(right, message, count):
    """Breaks AC-489: says that it waits for one preemption
    when it waits for several; ADM-532 may catch it.
    """
    return right(message, min(count, 1))


@planes.wrong((Edition, "_within"))
def keeps_a_policy_that_no_release_knows(within, self, era):
    """Breaks AC-460: serves the fields of the KEP in every version; ADM-534 may catch it."""
    return bool(era.only) or within(self, era)


@wrong((kep, "preempt_victims"))
def gives_up_what_withdraws_its_request(preempted, workload, world, current_time, rules):
    """Breaks AC-467: gives a Workload up whose check withdraws a request after victims were told; ADM-527
    must catch it.
    """
    preemptions = world.outlook.preemptions and not world.outlook.has_unissued_preemptions
    if preemptions and not rules.may_preempt(workload.checks, world.preemption_policies):
        return kep.activity.deactivation(workload)
    return preempted(workload, world, current_time, rules)


@planes.wrong((verdicts, "admit"))
def admits_nothing_on_a_lost_flavor(admit, workload, world, current_time, rules):
    """Breaks D-04: in a release keeps what lost its flavor from being admitted; ADM-547 may catch it."""
    return admit(workload, world, current_time, rules) if workload.used_flavors <= world.flavors else None


@planes.wrong((metrics, "eviction_latency"))
def measures_no_preemption(latency, workload, current_time):
    """Breaks AC-300: measures how long evictions take, but for preemptions; ADM-090 may catch it."""
    return () if workload.is_true("Preempted") else latency(workload, current_time)


@planes.wrong((Checks, "reset"))
def starts_a_preempted_job_unchecked(_, checks, current_time):
    """Breaks AC-345: leaves what checks said at an eviction, so that a Job starts on another flavor
    unchecked; ADM-124 must catch it.
    """
    return checks
