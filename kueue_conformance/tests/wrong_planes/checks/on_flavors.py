"""Wrong about checks that are for some flavors only (AC-350…353, AC-384, AC-385)."""

from reference_impl.kueue.checks import rules
from reference_impl.kueue.checks.entries import Checks
from reference_impl.kueue.checks.rules import CheckRule
from reference_impl.kueue.scheduling import reservation
from reference_impl.kueue.workload import admitted, verdicts
from reference_impl.kueue.workload.draft import StatusDraft
from reference_impl.kueue.workload.view import Workload

from ...killing.planes import wrong


@wrong((CheckRule, "covers"))
def knows_no_rule_by_its_flavors(_, rule, every):
    """Breaks AC-350: a rule that names every flavor is not for all of them; ADM-005 must catch it."""
    return not rule.on_flavors


@wrong((CheckRule, "covers"))
def lists_every_check_at_first(_, rule, every):
    """Breaks AC-350: lists checks for some flavors before there is a reservation; ADM-005 must catch it."""
    return True


@wrong((CheckRule, "covers"))
def takes_one_flavor_for_all(_, rule, every):
    """Breaks AC-350: a rule for one of the flavors is for all of them; ADM-005 must catch it."""
    return not rule.on_flavors or bool(rule.on_flavors & every)


@wrong((CheckRule, "covers"))
def takes_all_but_one_for_all(_, rule, every):
    """Breaks AC-350: a rule that misses one flavor is for all of them; ADM-309 must catch it."""
    return not rule.on_flavors or len(every - rule.on_flavors) <= 1 < len(every)


@wrong((CheckRule, "covers"))
def turns_flavors_around(_, rule, every):
    """Breaks AC-350: asks whether all that a rule names exist,
    not whether it names all; ADM-005 must catch it.
    """
    return not rule.on_flavors or rule.on_flavors <= every


@wrong((CheckRule, "covers"))
def covers_only_what_names_flavors(_, rule, every):
    """Breaks AC-350: a rule without flavors is for none
    before there is a reservation; ADM-001 must catch it.
    """
    return bool(rule.on_flavors) and rule.on_flavors >= every


@wrong((CheckRule, "touches"))
def requires_every_check_with_a_reservation(_, rule, used, every):
    """Breaks AC-351: every check of the queue is required of a reserved Workload; ADM-003 must catch it."""
    return True


@wrong((CheckRule, "touches"))
def requires_checks_of_all_used_flavors_only(_, rule, used, every):
    """Breaks AC-351: a check counts only if it names every assigned flavor; ADM-301 must catch it."""
    return (rule.on_flavors or every) >= used


@wrong((CheckRule, "touches"))
def forgets_checks_without_flavors(_, rule, used, every):
    """Breaks AC-351: a check without flavors is not required
    of a reserved Workload; ADM-003 must catch it.
    """
    return bool(rule.on_flavors & used)


@wrong((CheckRule, "touches"))
def requires_those_of_other_flavors(_, rule, used, every):
    """Breaks AC-351: takes the checks of the flavors that are not assigned; ADM-003 must catch it."""
    return not rule.on_flavors or not rule.on_flavors & used


@wrong((CheckRule, "touches"))
def requires_only_exactly_these_flavors(_, rule, used, every):
    """Breaks AC-351: a check counts only if it names the assigned flavor alone; ADM-304 must catch it."""
    return not rule.on_flavors or rule.on_flavors == used


@wrong((CheckRule, "touches"))
def asks_for_nothing_and_is_checked(_, rule, used, every):
    """Breaks AC-352: a Workload without assigned flavors needs
    the checks without flavors; ADM-009 should catch it.
    """
    return not rule.on_flavors or bool(rule.on_flavors & used)


@wrong((rules, "checks_for_flavors"))
def never_looks_at_the_assignment(required, lines, every, used):
    """Breaks AC-351: requires of a reserved Workload the checks of all flavors; ADM-003 must catch it."""
    return required(lines, every, None)


@wrong((rules, "checks_for_flavors"))
def requires_everything_at_first(required, lines, every, used):
    """Breaks AC-350: before a reservation every check is required; ADM-005 must catch it."""
    return frozenset(rule.name for rule in lines) if used is None else required(lines, every, used)


@wrong((rules, "checks_for_flavors"))
def requires_nothing_at_first(required, lines, every, used):
    """Breaks AC-350: before a reservation no check is required; ADM-001 must catch it."""
    return frozenset() if used is None else required(lines, every, used)


@wrong((rules, "checks_for_flavors"))
def requires_both(required, lines, every, used):
    """Breaks AC-352: requires of a reserved Workload the checks of all flavors besides those of its own;
    ADM-009 should catch it.
    """
    lines = tuple(lines)
    return required(lines, every, None) | required(lines, every, used)


@wrong((rules, "checks_for_flavors"))
def looks_at_one_flavor_of_several(required, lines, every, used):
    """Breaks AC-351: looks at the first of the assigned flavors only; ADM-301 must catch it."""
    return required(lines, every, used if used is None else frozenset(sorted(used)[:1]))


@wrong((rules, "checks_for_flavors"))
def looks_at_the_last_flavor_of_several(required, lines, every, used):
    """Breaks AC-351: looks at the last of the assigned flavors only; ADM-302 must catch it."""
    return required(lines, every, used if used is None else frozenset(sorted(used)[-1:]))


@wrong((rules, "rules_of"))
def reads_the_first_named_flavor(rules_of, obj):
    """Breaks AC-351: reads the first flavor that a check names; ADM-304[2-place-workload] must catch it."""
    return _read_on_flavors(rules_of, obj, slice(1))


@wrong((rules, "rules_of"))
def reads_the_last_named_flavor(rules_of, obj):
    """Breaks AC-351: reads the last flavor that a check names; ADM-304 must catch it."""
    return _read_on_flavors(rules_of, obj, slice(-1, None))


def _read_on_flavors(rules_of, obj, flavor_slice):
    strategy = (obj["spec"].get("admissionChecksStrategy") or {}).get("admissionChecks") or ()
    named = {line["name"]: frozenset((line.get("onFlavors") or [])[flavor_slice]) for line in strategy}
    result, every = rules_of(obj)
    return tuple(CheckRule(named_item.name, named[named_item.name]) for named_item in result), every


@wrong((rules, "rules_of"))
def reads_no_flavors(rules_of, obj):
    """Breaks AC-350: takes every check for one of all flavors; ADM-005 must catch it."""
    result, every = rules_of(obj)
    return tuple(CheckRule(named_item.name) for named_item in result), every


@wrong((rules, "rules_of"))
def knows_the_flavors_of_the_first_group(rules_of, obj):
    """Breaks AC-350: knows the flavors of the first resource group only; ADM-303 must catch it."""
    return rules_of(obj)[0], _flavors(obj, slice(1), slice(None))


@wrong((rules, "rules_of"))
def knows_the_flavors_of_the_last_group(rules_of, obj):
    """Breaks AC-350: knows the flavors of the last resource group only; ADM-303 must catch it."""
    return rules_of(obj)[0], _flavors(obj, slice(-1, None), slice(None))


@wrong((rules, "rules_of"))
def knows_the_first_flavor_of_a_group(rules_of, obj):
    """Breaks AC-350: knows the first flavor of each resource group only; ADM-309 must catch it."""
    return rules_of(obj)[0], _flavors(obj, slice(None), slice(1))


def _flavors(obj, groups, flavors):
    return frozenset(
        entry["name"]
        for group in obj["spec"]["resourceGroups"][groups]
        for entry in group["flavors"][flavors]
    )


@wrong((Workload, "used_flavors"))
def sees_the_first_pod_set(_, workload):
    """Breaks AC-351: looks at the flavors of the first podSet only; ADM-302 must catch it."""
    return _flavors_of(workload, slice(1), slice(None))


@wrong((Workload, "used_flavors"))
def sees_the_last_pod_set(_, workload):
    """Breaks AC-351: looks at the flavors of the last podSet only; ADM-302 must catch it."""
    return _flavors_of(workload, slice(-1, None), slice(None))


@wrong((Workload, "used_flavors"))
def sees_the_first_resource(_, workload):
    """Breaks AC-351: looks at the flavor of the first resource only; ADM-301 must catch it."""
    return _flavors_of(workload, slice(None), slice(1))


@wrong((Workload, "used_flavors"))
def sees_the_last_resource(_, workload):
    """Breaks AC-351: looks at the flavor of the last resource only; ADM-301 must catch it."""
    return _flavors_of(workload, slice(None), slice(-1, None))


def _flavors_of(workload, pod_sets, resources):
    assignments = workload.admission["podSetAssignments"][pod_sets]
    return frozenset(
        flavor
        for assignment in assignments
        for flavor in [*(assignment.get("flavors") or {}).values()][resources]
    )


@wrong((verdicts, "sync_checks"))
def takes_none_for_no_flavor(sync, workload, world, current_time, decided):
    """Breaks AC-350: a Workload without an admission uses no flavor, so that nothing is required of it;
    ADM-001 must catch it.
    """
    expected = decided.required_checks(world.check_rules, world.flavors, workload.used_flavors)
    synced = workload.checks.sync(expected, current_time)
    if world.cluster_queue is None or synced is workload.checks or workload.admission is not None:
        return sync(workload, world, current_time, decided) if workload.admission is not None else None
    return verdicts.Decision(
        write=verdicts.ReplaceStatus(StatusDraft.of(workload, current_time).with_checks(synced).status)
    )


@wrong((verdicts, "sync_checks"))
def keeps_the_checks_of_the_flavor_that_it_held(sync, workload, world, current_time, decided):
    """Breaks AC-353: keeps the list as it was when a Workload is evicted, until it has quota again;
    ADM-701 must catch it.
    """
    is_evicted = workload.admission is None and workload.is_evicted
    return None if is_evicted else sync(workload, world, current_time, decided)


@wrong((reservation, "reserve"))
def admits_before_its_checks_are_listed(
    reserved, workload, assignment, spec, decided, current_time, *arguments
):
    """Breaks AC-384: admits with the reservation when all
    that is listed has passed; ADM-300 must catch it.
    """
    return admitted.sync(reserved(workload, assignment, spec, decided, current_time, *arguments), decided)


@wrong((reservation, "reserve"))
def admits_with_one_of_its_checks_listed(
    reserved, workload, assignment, spec, decided, current_time, *arguments
):
    """Breaks AC-384: admits with the reservation when one of the required checks is listed and has passed;
    ADM-300[1-passed-workload] must catch it.
    """
    draft = reserved(workload, assignment, spec, decided, current_time, *arguments)
    return admitted.sync(draft, decided) if workload.checks.names else draft


@wrong((reservation, "reserve"))
def never_admits_at_once(reserved, workload, assignment, spec, decided, current_time, *arguments):
    """Breaks AC-284: writes the admission after the reservation even if there is nothing to wait for; ADM-206
    must catch it.
    """
    draft = reserved(workload, assignment, spec, decided, current_time, *arguments)
    conditions = [condition for condition in draft.conditions if condition["type"] != "Admitted"]
    return draft.put("conditions", conditions)


@wrong((Checks, "are_all_ready"))
def asks_the_first_check(_, checks):
    """Breaks AC-285: admits when the first check has passed;
    ADM-201[3-checks-first-answers-first-job] must catch it.
    """
    return all(entry["state"] == "Ready" for entry in checks.entries[:1])


@wrong((Checks, "are_all_ready"))
def asks_the_last_check(_, checks):
    """Breaks AC-285: admits when the last check has passed; ADM-201 must catch it."""
    return all(entry["state"] == "Ready" for entry in checks.entries[-1:])


@wrong((Checks, "are_all_ready"))
def asks_the_first_and_the_last(_, checks):
    """Breaks AC-285: admits when the first and the last check have passed;
    ADM-201[3-checks-middle-answers-last-workload] must catch it.
    """
    return all(entry["state"] == "Ready" for entry in (*checks.entries[:1], *checks.entries[-1:]))


@wrong((Checks, "are_all_ready"))
def waits_for_two_checks_at_most(_, checks):
    """Breaks AC-285: admits when two checks have passed; ADM-201 must catch it."""
    return sum(entry["state"] == "Ready" for entry in checks.entries) >= min(2, len(checks.entries))


@wrong((Checks, "are_all_ready"))
def takes_any_answer_for_good(_, checks):
    """Breaks AC-285: admits when no check is Pending, whatever they say; ADM-205 must catch it."""
    return all(entry["state"] != "Pending" for entry in checks.entries)


@wrong((Checks, "are_all_ready"))
def never_admits_without_checks(right, checks):
    """Breaks AC-285: takes an empty list for a check that has not passed; ADM-206 must catch it."""
    return bool(checks.entries) and all(entry["state"] == "Ready" for entry in checks.entries)


@wrong((admitted, "sync"))
def admits_without_a_reservation(sync, draft, decided):
    """Breaks AC-264: admits what has passed its checks and has no quota; ADM-001 must catch it."""
    if draft.is_true("QuotaReserved") or not Checks.of(draft.status).are_all_ready:
        return sync(draft, decided)
    return draft.set(admitted.Condition("Admitted", True, "Admitted", admitted.messages.ADMITTED))
