"""Wrong about when requests come and go, whose checks are answered, and what happens when something fails
(PA-020…PA-037, PA-124…PA-155).
"""

from dataclasses import replace

from reference_impl.kueue.provisioning import active, config, decide, fitting
from reference_impl.kueue.provisioning.steps import DeleteRequest, WriteChecks
from reference_impl.kueue.provisioning.triggers import Triggers
from reference_impl.kueue.provisioning.writing import StepExecutor
from reference_impl.runtime.errors import ApiError

from ...killing.planes import wrong


@wrong((decide, "decide"))
def forgets_to_delete(right, snapshot, rules):
    """Breaks PA-032: the request of what has finished stays; PRC-150 must catch it."""
    return () if snapshot.workload.is_finished else right(snapshot, rules)


@wrong((decide, "decide"))
def leaves_requests_of_what_has_finished(right, snapshot, rules):
    """Breaks PA-032: the request of what has finished stays; rule PA-032 in PRC-168 must catch it."""
    return () if snapshot.workload.is_finished else right(snapshot, rules)


@wrong((decide, "decide"))
def keeps_requests_of_what_is_evicted(right, snapshot, rules):
    """Breaks PA-032: the request of an evicted Workload stays; PRC-151 must catch it."""
    return () if snapshot.workload.is_evicted else right(snapshot, rules)


@wrong((decide, "decide"))
def deletes_requests_with_the_quota(right, snapshot, rules):
    """Breaks PA-031: a reservation that is lost without an
    eviction costs the request; PRC-153 should catch it.
    """
    if snapshot.workload.has_quota_reservation:
        return right(snapshot, rules)
    return tuple(DeleteRequest(request) for request in snapshot.requests)


@wrong((decide, "decide"))
def leaves_the_old_request(right, snapshot, rules):
    """Breaks PA-130: a request that fits the Workload no more stays; PRC-130 must catch it."""
    done = right(snapshot, rules)
    if snapshot.workload.is_evicted or snapshot.workload.is_finished:
        return done
    return tuple(step for step in done if not isinstance(step, DeleteRequest))


@wrong((fitting, "has_configured_parameters"))
def never_compares(_, *args):
    """Breaks PA-037: a request stays whatever the configuration becomes; PRC-130 must catch it."""
    return True


@wrong((fitting, "has_configured_parameters"))
def compares_the_class_alone(_, request, snapshot, config, _pod_sets):
    """Breaks PA-037: changed parameters are not seen; PRC-130 must catch it."""
    return request.class_name == config.class_name


@wrong((decide, "pending_without_configuration"))
def goes_on_without_a_configuration(_, snapshot, check):
    """Breaks PA-070: a check stays unchanged when its configuration goes; PRC-135 must catch it."""
    return check.entry


@wrong((decide, "_make_steps"))
def makes_requests_for_what_runs(_, snapshot, answer, rules):
    """Breaks PA-084: the request of a Workload that runs is made again; PRC-140 must catch it."""
    if answer.check.config is None or not answer.pod_sets or answer.request is not None:
        return ()
    return (decide.request_construction.request(snapshot, answer.check, answer.pod_sets, 1, rules),)


@wrong((decide, "next_attempt"))
def makes_no_second_request(right, snapshot, answer, rules):
    """Breaks PA-115: a Workload that was sent back is never asked for again; PRC-100 must catch it."""
    number = right(snapshot, answer, rules)
    return None if number and number > 1 else number


@wrong((active, "condition_of"))
def calls_its_check_active_whatever_it_names(right, check, get, problem_of):
    """Breaks PA-021: a check with a wrong reference is Active; PRC-011 must catch it."""
    return replace(right(check, get, problem_of), status=True, reason="Active")


@wrong((active, "condition_of"))
def explains_no_wrong_reference(right, check, get, problem_of):
    """Breaks PA-023: the problem is not reported; PRC-012 may catch it."""
    done = right(check, get, problem_of)
    return done if done.status else replace(done, message="bad")


@wrong((active, "has_other_status"))
def judges_a_check_once(_, written, condition, generation):
    """Breaks PA-025: a configuration that goes is not noticed; PRC-014 must catch it."""
    return False


@wrong((config, "is_ours"))
def answers_every_check(_, check):
    """Breaks PA-028: checks of other controllers are judged as well; PRC-015 must catch it."""
    return bool(check)


@wrong((Triggers, "on_request"))
def does_not_watch_requests(_, self, old, new):
    """Breaks PA-030: answers of the autoscaler are noticed by chance; PRC-003 must catch it."""


@wrong((Triggers, "on_config"))
def does_not_watch_configurations(_, self, old, new):
    """Breaks PA-030: a configuration that changes is noticed by chance; PRC-130 must catch it."""


@wrong((StepExecutor, "_tell_refusal"))
async def tells_no_refusal(_, self, workload, step, *arguments):
    """Breaks PA-124: a request that cannot be made is not told of; PRC-073 must catch it."""
    return workload


@wrong((StepExecutor, "_attempt"))
async def gives_up_after_a_failed_write(right, self, workload, step, failures):
    """Breaks PA-170: a write that failed is not tried again; PRC-190 must catch it."""
    try:
        return await right(self, workload, step, [])
    except ApiError:
        return workload


@wrong((StepExecutor, "_tell_change"))
def tells_no_change(_, self, workload, change):
    """Breaks PA-121: a new state of a check has no event; PRC-008 may catch it."""


@wrong((StepExecutor, "_tell_change"))
def tells_each_change_twice(right, self, workload, change):
    """Breaks PA-121: a new state of a check has two events; PRC-009 should catch it."""
    right(self, workload, change)
    right(self, workload, replace(change, message="again"))


def _alter_request(snapshot, done, ours, **fields):
    """Return the steps with other fields in the entries of other checks, where ours gets a verdict."""
    changed = [
        replace(
            step,
            entries=tuple(
                {**entry, **fields} if entry["name"] not in ours else entry for entry in step.entries
            ),
        )
        if isinstance(step, WriteChecks) and any(change.after != "Pending" for change in step.changes)
        else step
        for step in done
    ]
    return tuple(changed)


@wrong((decide, "decide"))
def drops_what_others_say(right, snapshot, rules):
    """Breaks PA-155: the message of another check is emptied with every verdict; PRC-166 must catch it."""
    return _alter_request(
        snapshot, right(snapshot, rules), {check.name for check in snapshot.checks}, message=""
    )


@wrong((decide, "decide"))
def speaks_for_others(right, snapshot, rules):
    """Breaks PA-155: another check is answered with our verdict; rule PA-155 in PRC-160 must catch it."""
    return _alter_request(
        snapshot, right(snapshot, rules), {check.name for check in snapshot.checks}, message="provided"
    )
