"""Wrong about the API: what its definitions and webhooks refuse,
fill in, convert or leave alone (AC-002…185, AC-200…222).
"""

from copy import deepcopy
from dataclasses import replace

from reference_impl.api import conversion, instants
from reference_impl.api.crds import edition
from reference_impl.kueue import install
from reference_impl.kueue.queueing import event_handlers
from reference_impl.kueue.queues import status
from reference_impl.kueue.queues.finalizer_controller import FinalizerController
from reference_impl.kueue.queues.priority_classes import PriorityClasses
from reference_impl.kueue.webhooks import flavors, queues, registration, resource_groups, workloads, writes
from reference_impl.kueue.webhooks.reviews import Reviewer
from reference_impl.kueue.workload import release

from ...killing.planes import wrong

CONVERTIBLE = (install, "convertible_definitions")
DEFINITIONS = (install, "definitions"), CONVERTIBLE
JUDGED = (writes, "problems")


def schemas_without(definitions, keyword, *kinds):
    """Return definitions in whose schemas a keyword occurs nowhere,
    in those of some kinds alone where these are named.
    """
    changed_definitions = deepcopy(definitions)
    for manifest in changed_definitions:
        for version in (
            manifest["spec"]["versions"] if not kinds or manifest["spec"]["names"]["kind"] in kinds else ()
        ):
            _drop(version["schema"]["openAPIV3Schema"], keyword)
    return changed_definitions


def _drop(schema, keyword):
    schema.pop(keyword, None)
    for below in (
        *schema.get("properties", {}).values(),
        schema.get("items"),
        schema.get("additionalProperties"),
    ):
        if isinstance(below, dict):
            _drop(below, keyword)


def without(rules, judge):
    """Return the rules of a webhook but for one."""
    return tuple(rule for rule in rules if rule.judge is not judge)


def change_definition(definitions, kind, change):
    """Return definitions of which one was changed."""
    changed_definitions = deepcopy(definitions)
    change(
        next(
            manifest["spec"] for manifest in changed_definitions if manifest["spec"]["names"]["kind"] == kind
        )
    )
    return changed_definitions


@wrong(*DEFINITIONS)
def fills_nothing_in(right, *args):
    """Breaks AC-035: has no defaults in its definitions; ADM-455 must catch it."""
    return schemas_without(right(*args), "default", "ClusterQueue")


@wrong(*DEFINITIONS)
def asks_for_the_count_of_pod_sets(right, *args):
    """Breaks AC-093: does not fill in the count of a pod set; ADM-456 must catch it."""

    def drops(spec):
        for version in spec["versions"]:
            _drop(_pod_sets(version)["items"]["properties"]["count"], "default")

    return change_definition(right(*args), "Workload", drops)


def _pod_sets(version):
    return version["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]["podSets"]


@wrong((Reviewer, "mutate"))
def gives_finalizers_late(mutate, reviewer, hook, review):
    """Breaks AC-007: leaves the finalizer of a new object to its controller; ADM-457 should catch it."""
    return mutate(reviewer, replace(hook, default=lambda obj, _: obj), review)


@wrong(*DEFINITIONS)
def keeps_checks_in_namespaces(right, *args):
    """Breaks AC-001: serves AdmissionChecks in namespaces; ADM-164 must catch it."""
    return change_definition(right(*args), "AdmissionCheck", lambda spec: spec.update(scope="Namespaced"))


@wrong(*DEFINITIONS)
def takes_any_word(right, *args):
    """Breaks AC-043: takes any word where a definition names some; ADM-458 must catch it."""
    return schemas_without(right(*args), "enum", "ClusterQueue")


@wrong(*DEFINITIONS)
def takes_any_word_of_users(right, *args):
    """Breaks AC-071: takes any stop policy of a LocalQueue; ADM-458[stopPolicy-of-users] must catch it."""
    return schemas_without(right(*args), "enum", "LocalQueue")


@wrong(*DEFINITIONS)
def takes_a_pod_set_too_many(right, *args):
    """Breaks AC-090: has a higher limit for pod sets; ADM-459[pod-sets] must catch it."""
    return change_definition(
        right(*args),
        "Workload",
        lambda spec: [_pod_sets(version).update(maxItems=19) for version in spec["versions"]],
    )


@wrong(*DEFINITIONS)
def takes_names_of_any_length(right, *args):
    """Breaks AC-101: knows no limit for a name; ADM-459[parent-of-a-cohort] must catch it."""
    return schemas_without(right(*args), "maxLength", "Workload", "Cohort")


@wrong(*DEFINITIONS)
def takes_any_number_of_labels(right, *args):
    """Breaks AC-080: knows no limit for the labels of a flavor; ADM-459[labels] must catch it."""
    return schemas_without(right(*args), "maxProperties", "ResourceFlavor")


@wrong(*DEFINITIONS)
def keeps_any_number_of_conditions(right, *args):
    """Breaks AC-017: knows no limit for the conditions of a check; ADM-460 must catch it."""
    return schemas_without(right(*args), "maxItems", "AdmissionCheck")


@wrong(*DEFINITIONS)
def knows_no_rules(right, *args):
    """Breaks AC-037: has no rules in its definition of a ClusterQueue;
    ADM-461[bare-topology] must catch it.
    """
    return schemas_without(right(*args), "x-kubernetes-validations", "ResourceFlavor")


@wrong((resource_groups, "totals"))
def counts_no_totals(_, groups):
    """Breaks AC-030: takes any number of flavors altogether; ADM-461[too-many-flavors] must catch it."""
    return ()


@wrong(JUDGED)
def takes_any_weight(right, rules, *args):
    """Breaks AC-044: takes weights below zero; ADM-461[negative-weight] must catch it."""
    return right(without(rules, queues.weight), *args)


@wrong(JUDGED)
def takes_any_taint(right, rules, *args):
    """Breaks AC-081: takes a taint twice; ADM-461[taint-twice] must catch it."""
    return right(without(rules, flavors.taints), *args)


@wrong(JUDGED)
def takes_any_label_of_nodes(right, rules, *args):
    """Breaks AC-080: takes labels of nodes that are none; ADM-461[node-label] must catch it."""
    return right(without(rules, flavors.node_labels), *args)


@wrong(JUDGED)
def takes_any_template(right, rules, *args):
    """Breaks AC-092: does not look at what pods ask for; ADM-461[resource-pods] must catch it."""
    return right(without(rules, workloads.pod_sets), *args)


@wrong(JUDGED)
def lets_orphans_borrow(right, rules, *args):
    """Breaks AC-185: takes limits of a cohort that has no parent; ADM-461[orphan-borrows] must catch it."""
    return right(without(rules, queues.cohort_quotas), *args)


@wrong(JUDGED)
def judges_the_status_alone(right, rules, write, *args):
    """Breaks AC-160: looks at pods that were given back only when these change; ADM-462 must catch it."""
    same = write.old and _reclaimable_pods(write.old) == _reclaimable_pods(write.new)
    return right(without(rules, workloads.reclaimable) if same else rules, write, *args)


def _reclaimable_pods(workload):
    return (workload.get("status") or {}).get("reclaimablePods")


@wrong(JUDGED)
def goes_to_any_cluster(right, rules, *args):
    """Breaks AC-162: takes a cluster that was not nominated; ADM-463 must catch it."""
    return right(without(rules, workloads.cluster_name), *args)


@wrong(*DEFINITIONS)
def moves_to_another_cluster(right, *args):
    """Breaks AC-131: lets the cluster of a Workload change; ADM-463 must catch it."""
    return schemas_without(right(*args), "x-kubernetes-validations", "Workload")


@wrong(JUDGED)
def changes_how_flavors_are_tried(right, rules, *args):
    """Breaks AC-046: lets the policy change; ADM-464 must catch it."""
    return right(without(rules, queues.concurrent_admission), *args)


@wrong((PriorityClasses, "reconcile"))
async def keeps_priorities(_, classes, key):
    """Breaks AC-180: does not tell Workloads that their class has another value; ADM-465 must catch it."""


@wrong(*DEFINITIONS)
def puts_kinds_into_a_category(right, *args):
    """Breaks AC-002: puts a kind into the category of all; ADM-466 must catch it."""
    return change_definition(right(*args), "Workload", lambda spec: spec["names"].update(categories=["all"]))


@wrong(*DEFINITIONS)
def has_no_short_names(right, *args):
    """Breaks AC-185: knows no short name of a Cohort; ADM-466 must catch it."""
    return change_definition(right(*args), "Cohort", lambda spec: spec["names"].pop("shortNames"))


@wrong(CONVERTIBLE)
def converts_every_kind(right, *args):
    """Breaks AC-004: converts AdmissionChecks by its webhook; ADM-467 must catch it."""
    definitions = right(*args)
    webhook = next(
        manifest["spec"]["conversion"]
        for manifest in definitions
        if manifest["spec"]["names"]["kind"] == "Workload"
    )
    return change_definition(definitions, "AdmissionCheck", lambda spec: spec.update(conversion=webhook))


@wrong((registration, "_resources"))
def is_not_asked_about_statuses(_, hook, mutates):
    """Breaks AC-006: is not asked about the status of a Workload; ADM-468 should catch it."""
    return iter((hook.resource.plural,))


@wrong(CONVERTIBLE)
def keeps_the_delay_of_old(right, *args):
    """Breaks AC-020: stores the delay of v1beta1; ADM-469 should catch it."""

    def keeps(spec):
        for version in spec["versions"]:
            fields = version["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]
            fields["retryDelayMinutes"] = {"type": "integer", "format": "int64"}

    return change_definition(right(*args), "AdmissionCheck", keeps)


@wrong((conversion, "_rename"))
def renames_nothing(_, section, source, goal):
    """Breaks AC-205: loses what the other version calls otherwise; ADM-470 should catch it."""
    return {name: value for name, value in section.items() if name != source or source.startswith("cohort")}


@wrong((conversion, "_convert_assignments"))
def forgets_where_pods_go(_, obj, step):
    """Breaks AC-208: does not turn domains into slices; ADM-471 should catch it."""
    admission = obj["status"].get("admission") or {}
    pod_set_assignments = [
        {name: value for name, value in pod_set_assignment.items() if name != "topologyAssignment"}
        for pod_set_assignment in admission.get("podSetAssignments") or ()
    ]
    return (
        {
            **obj,
            "status": {**obj["status"], "admission": {**admission, "podSetAssignments": pod_set_assignments}},
        }
        if admission
        else obj
    )


@wrong(CONVERTIBLE)
def drops_the_weight_of_old(right, *args):
    """Breaks AC-211: has another shape of a cohort in v1beta1; ADM-472 should catch it."""

    def drops(spec):
        for version in spec["versions"]:
            if version["name"] == "v1beta1":
                version["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"].pop("fairSharing")

    return change_definition(right(*args), "Cohort", drops)


@wrong((FinalizerController, "reconcile"))
async def speaks_for_check_controllers(reconcile, guard, key):
    """Breaks AC-018: says itself that a check is not Active; ADM-474 should catch it."""
    await reconcile(guard, key)
    obj = guard.store.get(key)
    if obj is None or obj["kind"] != "AdmissionCheck" or (obj.get("status") or {}).get("conditions"):
        return
    text = {
        "type": "Active",
        "status": "False",
        "reason": "Unknown",
        "message": "",
        "lastTransitionTime": "2024-01-01T00:00:00Z",
    }
    await guard.client.update_status(guard.resource, {**obj, "status": {"conditions": [text]}})


@wrong((edition.Edition, "_within"), dialect="v0.6")
def has_fields_of_later_releases(_, served, era):
    """Breaks AC-220: keeps fields of later releases; ADM-476 should catch it."""
    return not era.only


@wrong((status, "cluster_queue_status"))
def tells_a_share(right, *args):
    """Breaks AC-050: tells the share of a queue though fair sharing is off; ADM-475 may catch it."""
    return {**right(*args), "fairSharing": {"weightedShare": 0}}


@wrong((instants, "render"))
def writes_fractions_of_seconds(right, seconds):
    """Breaks AC-008: writes times to the microsecond; ADM-473 should catch it."""
    return right(seconds).replace("Z", ".000000Z")


@wrong((event_handlers, "_check"))
def looks_at_the_first_condition(right, check):
    """Breaks AC-021: looks for Active at the first place of
    a check's conditions only; ADM-474 should catch it.
    """
    status = check.get("status") or {}
    return right({**check, "status": {**status, "conditions": (status.get("conditions") or ())[:1]}})


@wrong((release, "without_requeued"), dialect="v0.6")
def says_requeued_in_v06(_, *args):
    """Breaks AC-221: writes a condition of later releases; ADM-477 should catch it."""
    return release.after_eviction(*args)
