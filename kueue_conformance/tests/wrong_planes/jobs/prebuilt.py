"""Wrong about a Job that names the Workload that stands for it (AC-331, C-28)."""

from reference_impl.kueue.jobs import decide, prebuilt, workload_construction

from ...killing.planes import wrong


@wrong((prebuilt, "missing"))
def makes_a_workload_beside_the_named_one(_, snapshot):
    """Breaks AC-331: does not wait for the Workload that a Job names; ADM-620 must catch it."""


@wrong((prebuilt, "missing"))
def lets_run_without_the_named_workload(missing, snapshot):
    """Breaks AC-335: lets a Job run while the Workload that it names is not there;
    ADM-620[lets-it-run] must catch it.
    """
    return missing(snapshot) if snapshot.job.is_suspended else decide.NoAction()


@wrong((prebuilt, "adopt"))
def leaves_a_named_workload_to_its_user(_, snapshot):
    """Breaks AC-331: does not make the Workload that a Job names the Job's; ADM-620 must catch it."""


@wrong((prebuilt, "out_of_sync"))
def takes_a_named_workload_as_it_is(_, snapshot):
    """Breaks AC-331: does not compare the Workload that a Job names with the Job; ADM-621 must catch it."""


@wrong((workload_construction, "controller_of"))
def takes_the_workload_of_another_job(controller_of, workload):
    """Breaks AC-331: gives the Workload of one Job to another one that names it; ADM-622 must catch it."""


@wrong((prebuilt, "out_of_sync"))
def gives_no_reason_in_words_for_what_is_out_of_sync(out_of_sync, snapshot):
    """Breaks AC-382: says nothing of why a Workload that a Job names was given up; ADM-623 may catch it."""
    step = out_of_sync(snapshot)
    return step and decide.Finish(step.workload, step.reason, "")


@wrong((workload_construction, "are_equal"))
def compares_quantities_as_texts(_, first, second):
    """Breaks AC-331: takes `1000m` and `1` for different amounts; ADM-637 must catch it."""
    return first == second


@wrong((prebuilt, "out_of_sync"))
def waits_beside_resources_of_a_whole_pod(out_of_sync, snapshot):
    """Breaks BUG-162: does nothing for a Job whose pods have resources as a whole; ADM-646 may catch it."""
    resources = snapshot.job.template["spec"].get("resources")
    return decide.Await("pods without resources as a whole") if resources else out_of_sync(snapshot)
