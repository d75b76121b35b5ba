"""A v0.20 that heeds the timeouts of a Job's annotation in part or not at all."""

from dataclasses import replace

from reference_impl.kueue.jobs import decide
from reference_impl.kueue.webhooks import jobs_pods_ready, writes
from reference_impl.kueue.workload import workload_timeouts

from ...killing.planes import wrong
from ..workloads.definitions import without


@wrong((workload_timeouts, "prefer_workload"), dialect="v0.20")
def still_waits_as_long_as_configured(_, _workload, configured):
    """Breaks KV-61: pods have the configured time, whatever the annotation says; ADM-810 may catch it."""
    return configured


@wrong((workload_timeouts, "prefer_workload"), dialect="v0.20")
def still_gives_recoveries_the_configured_time(right, workload, configured):
    """Breaks KV-61: a recovery has the time of the configuration; ADM-810 may catch it."""
    return replace(right(workload, configured), recovery_timeout=configured.recovery_timeout)


@wrong((decide, "follow_timeouts"), dialect="v0.20")
def keeps_the_first_timeouts_of_a_job(_, _snapshot):
    """Breaks KV-61: the annotation of a Workload stays when that of its Job changes; ADM-811 may catch it."""
    return


@wrong((writes, "problems"), dialect="v0.20")
def still_takes_any_timeouts(right, rules, *args):
    """Breaks KV-61: no time of pods is refused; ADM-812 may catch it."""
    return right(without(rules, jobs_pods_ready.timeouts), *args)


@wrong((writes, "problems"), dialect="v0.20")
def takes_a_recovery_beyond_two_hours(right, *args):
    """Breaks KV-61: the limit of a start is none of a recovery; ADM-812 may catch it."""
    return [problem for problem in right(*args) if "recoveryTimeoutSeconds must not" not in str(problem)]


@wrong((writes, "problems"), dialect="v0.20")
def lets_timeouts_of_a_running_job_change(right, rules, *args):
    """Breaks KV-61: the pods of a Job that runs get other times; ADM-813 may catch it."""
    return right(without(rules, jobs_pods_ready.timeouts_unchanged), *args)
