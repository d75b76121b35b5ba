"""Wrong about what an admission puts into the pod template of a Job, and what a stop takes out of it
(AC-336, AC-360…367, Q-185).
"""

from reference_impl.kueue.jobs import starting, stopping
from reference_impl.kueue.workload import pod_set_info

from ...killing.planes import wrong


@wrong((pod_set_info, "restore"))
def restores_no_tolerations(restore, template, original, kept_labels):
    """Breaks AC-367: leaves the tolerations of the flavor in a Job that is stopped; ADM-120 must catch it."""
    back = restore(template, original, kept_labels)
    tolerations = (template.get("spec") or {}).get("tolerations") or []
    return {**back, "spec": {**back["spec"], **({"tolerations": tolerations} if tolerations else {})}}


@wrong((pod_set_info, "restore"))
def restores_no_annotations(restore, template, original, kept_labels):
    """Breaks AC-367: leaves the annotations of a check in a Job that is stopped; ADM-120 must catch it."""
    back = restore(template, original, kept_labels)
    annotations = (template.get("metadata") or {}).get("annotations") or {}
    return {**back, "metadata": {**back["metadata"], **({"annotations": annotations} if annotations else {})}}


@wrong((stopping, "_restore"))
def restores_no_parallelism(restore, obj, workload):
    """Breaks AC-336: leaves the parallelism of a partial admission in a Job that is stopped;
    ADM-412[some-4-count-3-3-expected-4-completions] must catch it.
    """
    back = restore(obj, workload)
    counts = {name: obj["spec"][name] for name in ("parallelism", "completions") if name in obj["spec"]}
    return {**back, "spec": {**back["spec"], **counts}}


@wrong((starting, "counts"))
def starts_with_all_completions(counts, job, pods):
    """Breaks Q-185: lets fewer pods of a Job start whose completions are to follow, and leaves these as
    they are; ADM-412[one-index-each-4-count-3-3-expected-3-completions] must catch it.
    """
    return {name: value for name, value in counts(job, pods).items() if name != "completions"}


@wrong((pod_set_info, "with_checks"))
def merges_the_updates_of_the_first_check(with_checks, info, pod_set, entries):
    """Breaks AC-362: merges what the first check asks for, and nothing of the others; ADM-126 must catch
    it.
    """
    return with_checks(info, pod_set, [entry for entry in entries if entry.get("podSetUpdates")][:1])


@wrong((pod_set_info, "of_flavors"))
def takes_the_labels_of_the_first_flavor(of_flavors, assignment, flavors):
    """Breaks AC-360: lets pods with several flavors run on the nodes of the first; ADM-762[2-groups] must
    catch it.
    """
    first = dict([*(assignment.get("flavors") or {}).items()][:1])
    return of_flavors({**assignment, "flavors": first}, flavors)
