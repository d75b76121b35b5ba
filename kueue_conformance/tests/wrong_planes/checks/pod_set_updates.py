"""Wrong about what flavors and checks bring to pods, and about taking it away again (AC-360…369)."""

from dataclasses import replace

from reference_impl.kueue.checks.entries import PENDING
from reference_impl.kueue.jobs import starting, stopping
from reference_impl.kueue.workload import pod_set_info
from reference_impl.kueue.workload.pod_set_info import PodSetConflict, PodSetInfo

from ...killing.planes import wrong

# Merging


@wrong((pod_set_info, "with_checks"))
def brings_nothing_of_checks(_, info, pod_set, entries):
    """Breaks AC-362: gives pods nothing of what checks ask for; ADM-120 must catch it."""
    return info


@wrong((pod_set_info, "with_checks"))
def brings_what_the_first_check_asks(right, info, pod_set, entries):
    """Breaks AC-362: listens to the first check alone; ADM-426[1-place-nodeSelector] must catch it."""
    return right(info, pod_set, entries[:1])


@wrong((pod_set_info, "with_checks"))
def brings_what_the_last_check_asks(right, info, pod_set, entries):
    """Breaks AC-362: listens to the last check alone; ADM-426 must catch it."""
    return right(info, pod_set, entries[-1:])


@wrong((pod_set_info, "with_checks"))
def brings_nothing_of_pending_checks(right, info, pod_set, entries):
    """Breaks AC-362: leaves out what a check asks for that is Pending; ADM-425 must catch it."""
    return right(info, pod_set, [entry for entry in entries if entry["state"] != PENDING])


@wrong((pod_set_info, "with_checks"))
def stops_at_the_first_check_that_asks(right, info, pod_set, entries):
    """Breaks AC-362: stops at the first check that asks for something; ADM-126 must catch it."""
    return right(info, pod_set, [entry for entry in entries if entry.get("podSetUpdates")][:1])


@wrong((pod_set_info, "with_checks"))
def forgets_the_flavor_for_a_check(right, info, pod_set, entries):
    """Breaks AC-361: drops what the flavor brings when a check asks for something; ADM-426 must catch it."""
    request = any(entry.get("podSetUpdates") for entry in entries)
    return right(PodSetInfo(count=info.count) if request else info, pod_set, entries)


@wrong((pod_set_info, "of_update"))
def brings_no_labels(right, update):
    """Breaks AC-362: leaves out the labels that a check asks for; ADM-120 must catch it."""
    return replace(right(update), labels={})


@wrong((pod_set_info, "of_update"))
def brings_no_annotations(right, update):
    """Breaks AC-362: leaves out the annotations that a check asks for; ADM-120 must catch it."""
    return replace(right(update), annotations={})


@wrong((pod_set_info, "of_update"))
def brings_no_node_selector(right, update):
    """Breaks AC-362: leaves out the node selector that a check asks for; ADM-120 must catch it."""
    return replace(right(update), node_selector={})


@wrong((pod_set_info, "of_update"))
def brings_no_tolerations(right, update):
    """Breaks AC-362: leaves out the tolerations that a check asks for; ADM-120 must catch it."""
    return replace(right(update), tolerations=())


@wrong((pod_set_info, "of_update"))
def takes_labels_for_annotations(right, update):
    """Breaks AC-362: puts labels where annotations belong; ADM-426 must catch it."""
    pod_set_info = right(update)
    return replace(pod_set_info, labels=pod_set_info.annotations, annotations=pod_set_info.labels)


@wrong((pod_set_info, "of_assignment"))
def brings_no_nodes_of_the_flavor(right, assignment, names, flavors):
    """Breaks AC-361: does not send pods to the nodes of their flavor; ADM-021 must catch it."""
    return replace(right(assignment, names, flavors), node_selector={})


@wrong((pod_set_info, "of_assignment"))
def brings_no_tolerations_of_the_flavor(right, assignment, names, flavors):
    """Breaks AC-361: leaves out what a flavor tolerates; ADM-426 must catch it."""
    return replace(right(assignment, names, flavors), tolerations=())


@wrong((pod_set_info, "of_assignment"))
def brings_no_labels_of_its_own(right, assignment, names, flavors):
    """Breaks AC-361: does not label pods with their queue; ADM-428 should catch it."""
    return replace(right(assignment, names, flavors), labels={})


@wrong((pod_set_info, "of_assignment"))
def brings_no_annotation_of_its_own(right, assignment, names, flavors):
    """Breaks AC-361: does not say to pods which Workload is theirs; ADM-428 should catch it."""
    return replace(right(assignment, names, flavors), annotations={})


# Contradictions


@wrong((pod_set_info, "_together"))
def lets_the_first_win(_, field, ours, theirs):
    """Breaks AC-364: keeps the first of two values; ADM-427 must catch it."""
    return {**theirs, **ours}


@wrong((pod_set_info, "_together"))
def lets_the_last_win(_, field, ours, theirs):
    """Breaks AC-364: takes the last of two values; ADM-427 must catch it."""
    return {**ours, **theirs}


@wrong((pod_set_info, "_together"))
def minds_equal_values(_, field, ours, theirs):
    """Breaks AC-363: takes equal values for a contradiction; ADM-122 must catch it."""
    if ours.keys() & theirs.keys():
        raise PodSetConflict("conflict")
    return {**ours, **theirs}


@wrong((pod_set_info, "_together"))
def minds_labels_alone(right, field, ours, theirs):
    """Breaks AC-362: sees contradictions between labels only; ADM-427 must catch it."""
    return right(field, ours, theirs) if field == "labels" else {**ours, **theirs}


@wrong((pod_set_info, "_together"))
def minds_no_annotations(right, field, ours, theirs):
    """Breaks AC-362: sees no contradiction between annotations; ADM-427[annotations-01] must catch it."""
    return {**ours, **theirs} if field == "annotations" else right(field, ours, theirs)


@wrong((pod_set_info, "_together"))
def minds_no_node_selectors(right, field, ours, theirs):
    """Breaks AC-362: sees no contradiction between node selectors; ADM-121 must catch it."""
    return {**ours, **theirs} if field == "nodeSelector" else right(field, ours, theirs)


@wrong((pod_set_info, "inject"))
def overwrites_the_template(_, template, info):
    """Breaks AC-363: replaces the values of the template; ADM-121 must catch it."""
    before = pod_set_info.of_template(template)
    merged = replace(
        before,
        annotations={**before.annotations, **info.annotations},
        labels={**before.labels, **info.labels},
        node_selector={**before.node_selector, **info.node_selector},
        tolerations=(*before.tolerations, *info.tolerations),
    )
    return pod_set_info.write(template, merged)


@wrong((pod_set_info, "inject"))
def forgets_what_the_template_says(_, template, info):
    """Breaks AC-363: drops the values of the template for those of the updates; ADM-120 must catch it."""
    return pod_set_info.write(template, info)


@wrong((pod_set_info, "_all_of"))
def repeats_tolerations(_, ours, theirs):
    """Breaks AC-362: repeats a toleration that is there; ADM-120 must catch it."""
    return (*ours, *theirs)


@wrong((pod_set_info, "_identity"))
def takes_tolerations_of_one_key_for_the_same(_, toleration):
    """Breaks AC-362: compares tolerations by their key alone;
    ADM-429[other-value-2-times] should catch it.
    """
    return (toleration.get("key") or "",)


@wrong((pod_set_info, "_identity"))
def compares_tolerations_without_their_effect(right, toleration):
    """Breaks AC-362: compares tolerations without their effect;
    ADM-429[other-effect-2-times] should catch it.
    """
    return right({**toleration, "effect": ""})


@wrong((pod_set_info, "_identity"))
def compares_tolerations_without_their_value(right, toleration):
    """Breaks AC-362: compares tolerations without their value;
    ADM-429[other-value-2-times] should catch it.
    """
    return right({**toleration, "value": ""})


@wrong((pod_set_info, "_identity"))
def takes_no_operator_for_another_one(_, toleration):
    """Breaks AC-362: does not know that no operator means Equal; ADM-429 should catch it."""
    return tuple(toleration.get(name) or "" for name in ("operator", "key", "value", "effect"))


# Taking it away


@wrong((pod_set_info, "restore"))
def restores_nothing(_, template, original, kept_labels):
    """Breaks AC-367: leaves in a stopped Job what was brought; ADM-120 must catch it."""
    return template


def _keeping(*names):
    def restores(right, template, original, kept_labels):
        back, current_time = right(template, original, kept_labels), pod_set_info.of_template(template)
        before = pod_set_info.of_template(back)
        return pod_set_info.write(
            back, replace(before, **{name: getattr(current_time, name) for name in names})
        )

    return restores


@wrong((pod_set_info, "restore"))
def restores_all_but_labels(*args):
    """Breaks AC-367: leaves labels in a stopped Job; ADM-120 must catch it."""
    return _keeping("labels")(*args)


@wrong((pod_set_info, "restore"))
def restores_all_but_annotations(*args):
    """Breaks AC-367: leaves annotations in a stopped Job; ADM-120 must catch it."""
    return _keeping("annotations")(*args)


@wrong((pod_set_info, "restore"))
def restores_all_but_node_selectors(*args):
    """Breaks AC-367: leaves node selectors in a stopped Job; ADM-120 must catch it."""
    return _keeping("node_selector")(*args)


@wrong((pod_set_info, "restore"))
def restores_all_but_tolerations(*args):
    """Breaks AC-367: leaves tolerations in a stopped Job; ADM-120 must catch it."""
    return _keeping("tolerations")(*args)


@wrong((pod_set_info, "restore"))
def restores_nothing_of_the_users(_, template, original, kept_labels):
    """Breaks AC-367: takes away what the user's template said; ADM-120 must catch it."""
    return pod_set_info.write(template, PodSetInfo())


@wrong((stopping, "_restore"))
def suspends_without_restoring(_, obj, workload):
    """Breaks AC-336: suspends a Job and leaves its template; ADM-120 must catch it."""
    annotations = dict(obj["metadata"].get("annotations") or {})
    annotations.pop("kueue.x-k8s.io/stopping", None)
    return {**obj, "metadata": {**obj["metadata"], "annotations": annotations}}


@wrong((starting, "start"))
def starts_without_what_was_brought(_, job, workload, flavors):
    """Breaks AC-360: starts a Job without its updates; ADM-021 must catch it."""
    return {**job.object, "spec": {**job.spec, "suspend": False}}
