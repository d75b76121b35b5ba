"""Wrong about names that are easily mistaken for each other, and about texts that look like templates."""

from dataclasses import replace

from reference_impl.kueue.checks.entries import Checks
from reference_impl.kueue.checks.rules import CheckRule
from reference_impl.kueue.jobs import workload_construction
from reference_impl.kueue.provisioning import names
from reference_impl.kueue.queueing.queue_manager import QueueManager
from reference_impl.kueue.queueing.queues import Queues
from reference_impl.kueue.queueing.view import QueueView
from reference_impl.kueue.quota.cohort_trees import CohortTrees
from reference_impl.kueue.scheduling import flavor_fit
from reference_impl.kueue.visibility.delegated import authorization
from reference_impl.kueue.workload.pod_set_info import PodSetInfo

from ...killing.planes import wrong

LABEL_LENGTH = 63


def cut(name):
    """Return the beginning of a name, as the value of a label has it."""
    return name[:LABEL_LENGTH]


def cut_all(names):
    """Return the beginnings of names."""
    return frozenset(map(cut, names))


def print_as_template(text):
    """Return what Go's Sprintf makes of a text without operands, nearly."""
    return text.replace("%", "%!(NOVERB)")


def last_alike(queues, namespace, name):
    """Return the last LocalQueue of a namespace whose name is the same up to the first dot."""
    names_here = [key.partition("/")[2] for key in queues.local_queues if key.startswith(f"{namespace}/")]
    return [other for other in (name, *names_here) if other.partition(".")[0] == name.partition(".")[0]][-1]


@wrong((Checks, "sync"))
def lists_checks_by_their_first_63_characters(sync, checks, required, current_time):
    """Breaks AC-357: takes two checks of one beginning for one;
    ADM-201[2-checks-last-answers-first-job-drawn] must catch it.
    """
    return sync(checks, {cut(name): name for name in required}.values(), current_time)


@wrong((Checks, "sync"))
def prints_messages_of_checks_as_templates(sync, checks, required, current_time):
    """Breaks AC-357: formats the messages of the entries that stay; ADM-002 must catch it."""
    synced = sync(checks, required, current_time)
    return Checks(
        tuple({**entry, "message": print_as_template(entry.get("message", ""))} for entry in synced.entries)
    )


@wrong((CheckRule, "touches"))
def requires_checks_of_flavors_that_begin_alike(_, rule, used, every):
    """Breaks AC-351: compares flavors by their first 63 characters; ADM-003[workload-drawn] must catch it."""
    return bool(cut_all(rule.on_flavors or every) & cut_all(used))


@wrong((CheckRule, "covers"))
def takes_flavors_that_end_alike_for_all(_, rule, every):
    """Breaks AC-350: compares flavors by what follows the last dash;
    ADM-309[2-missing-drawn] must catch it.
    """
    ends = [{name.rpartition("-")[2] for name in flavors} for flavors in (rule.on_flavors, every)]
    return not rule.on_flavors or ends[0] >= ends[1]


@wrong((flavor_fit, "_matches_node_affinity"))
def selects_nodes_whatever_the_case_of_their_labels(matches, pod_spec, labels, keys):
    """Breaks Q-159: compares the values of labels without regard to case;
    ADM-304[2-place-job-drawn] must catch it.
    """
    selector = {key: value.lower() for key, value in (pod_spec.get("nodeSelector") or {}).items()}
    lowered = {key: value.lower() for key, value in labels.items()}
    return matches({**pod_spec, "nodeSelector": selector}, lowered, keys)


@wrong((workload_construction, "workload_name"))
def names_workloads_without_a_hash(_, job):
    """Breaks AC-296: cuts the name of a Job and adds nothing to tell it from another;
    ADM-304[2-place-job-drawn] must catch it.
    """
    return f"job-{job.metadata['name']}"[:57].rstrip("-.")


@wrong((QueueManager, "cluster_queue_for"))
def finds_queues_by_what_precedes_a_dot(right, manager, namespace, local_queue):
    """Breaks AC-356: reads the name of a LocalQueue up to its first dot;
    ADM-016[Ready-drawn] must catch it.
    """
    return right(manager, namespace, last_alike(manager.queues, namespace, local_queue))


@wrong((Queues, "push"))
def queues_workloads_by_their_first_63_characters(push, queues, pending, current_time):
    """Breaks Q-030: takes a Workload for one that waits already;
    QUE-001[cluster-queue-drawn] must catch it.
    """
    length = len(pending.key.partition("/")[0]) + 1 + LABEL_LENGTH
    alike = {key for key in queues._local_queue_of if key[:length] == pending.key[:length]}
    if alike <= {pending.key}:
        push(queues, pending, current_time)


@wrong((CohortTrees, "set_queue"))
def joins_cohorts_that_begin_alike(set_queue, trees, name, cohort, quotas, weight):
    """Breaks Q-120: knows cohorts by their first 63 characters;
    QUE-030[a-subtree-that-has-lent-its-own-drawn] must catch it.
    """
    return set_queue(trees, name, cut(cohort), quotas, weight)


@wrong((PodSetInfo, "merge"))
def merges_labels_whatever_their_case(merge, info, other):
    """Breaks AC-363: takes keys that differ in their case for one; ADM-120[retried-drawn] must catch it."""
    merged = merge(info, other)
    return replace(merged, labels={key.lower(): value for key, value in merged.labels.items()})


@wrong((names, "limit"))
def cuts_the_names_of_requests_at_63(_, name):
    """Breaks PA-047: cuts names of requests like values of labels; PRC-052[drawn] must catch it."""
    return cut(name)


@wrong((QueueView, "local_queue"))
def lists_queues_by_what_precedes_a_dot(right, view, namespace, name):
    """Breaks VIS-460: reads the name of a LocalQueue up to its first dot; VSB-128[drawn] must catch it."""
    return right(view, namespace, last_alike(view._queues, namespace, name))


@wrong((authorization, "spec_of"))
def asks_about_the_first_63_characters_of_a_user(spec_of, user, attributes):
    """Breaks VIS-420: cuts the name of a user like the value of a label; VSB-066 must catch it."""
    return spec_of(replace(user, name=cut(user.name)), attributes)
