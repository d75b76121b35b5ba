"""Wrong about the priority that the pods of a Job have (AC-097)."""

from dataclasses import replace

from reference_impl.kueue.jobs import decide, priority
from reference_impl.kueue.jobs.priority import NO_PRIORITY, PriorityClasses

from ...killing.planes import wrong


@wrong((PriorityClasses, "of"))
def knows_no_class_of_pods(of, self, job):
    """Breaks AC-097: takes no priority from the class of a Job's pods; ADM-625 must catch it."""
    return of(self, job) if job.labels.get(priority.PRIORITY_CLASS_LABEL) else NO_PRIORITY


@wrong((priority, "_of_pod_class"))
def forgets_which_class_pods_have(of_pod_class, priority_class):
    """Breaks AC-097: does not say which class of pods a priority is from; ADM-625 must catch it."""
    return replace(of_pod_class(priority_class), name="")


@wrong((priority, "_of_pod_class"))
def takes_no_negative_class_of_pods(of_pod_class, priority_class):
    """Breaks AC-098: takes a negative priority of pods for none;
    ADM-625[-10-pods-None--10-priority-pods] must catch it.
    """
    right = of_pod_class(priority_class)
    return replace(right, value=max(0, right.value))


@wrong((decide, "tell_checks"))
def tells_what_one_check_says(tell_checks, snapshot):
    """Breaks AC-286: tells on the Job what one check says, and not the others; ADM-624 may catch it."""
    step = tell_checks(snapshot)
    return step and decide.RecordEvent("UpdatedAdmissionCheck", step.note.partition("; ")[0])


@wrong((decide, "stop_without_match"))
def stops_what_has_no_match_without_a_word(stop_without_match, snapshot):
    """Breaks AC-382: does not say why a Job without a matching Workload is stopped; ADM-572 may catch it."""
    step = stop_without_match(snapshot)
    return step and replace(step, message="")


@wrong((priority, "follows_label"))
def follows_a_class_while_quota_is_reserved(follows_label, workload, name):
    """Breaks AC-098: gives a Workload that holds quota without a class the one that its Job names by then;
    ADM-635 must catch it.
    """
    return workload.spec.get("priorityClassRef") is None or follows_label(workload, name)


@wrong((priority, "follows_label"))
def follows_a_class_whatever_the_pods_have(follows_label, workload, name):
    """Breaks AC-097: puts the class that a Job names in place of that of its pods;
    ADM-636 should catch it.
    """
    return not workload.has_quota_reservation or follows_label(workload, name)


@wrong((decide, "follow_priority"))
def keeps_a_class_that_is_named_no_more(follow_priority, snapshot):
    """Breaks AC-331: follows the class that a Job names, and does not hear that it names none any more;
    ADM-703 must catch it.
    """
    return follow_priority(snapshot) if snapshot.job.labels.get(priority.PRIORITY_CLASS_LABEL) else None


@wrong((decide, "follow_priority"))
def forgets_the_value_of_a_class_that_is_taken(follow_priority, snapshot):
    """Breaks AC-331: takes the reference to a class off the Workload with the label, and leaves the number;
    ADM-703 must catch it.
    """
    step = follow_priority(snapshot)
    if step is None or snapshot.job.labels.get(priority.PRIORITY_CLASS_LABEL):
        return step
    spec = {**step.object["spec"], "priority": snapshot.workload.priority}
    return replace(step, object={**step.object, "spec": spec})
