"""Wrong about Workloads of several pod sets: what belongs to one is used for another (PA-040…PA-089)."""

from dataclasses import replace

from reference_impl.kueue.provisioning import (
    decide,
    managed_pod_sets,
    merging,
    request_construction,
    states,
    templates,
    updates,
)

from ...killing.planes import wrong


@wrong((request_construction, "request"))
def requests_all_pods_on_the_first_flavor(right, snapshot, check, pod_sets, *args):
    """Breaks PA-065: every template has labels and tolerations of one flavor; PRC-250 must catch it."""
    first = pod_sets[0].assignment
    return right(snapshot, check, tuple(replace(member, assignment=first) for member in pod_sets), *args)


@wrong((request_construction, "request"))
def requests_the_pods_of_the_first_pod_set(right, snapshot, check, pod_sets, *args):
    """Breaks PA-065: every template has the pods of one pod set; PRC-250 must catch it."""
    first = pod_sets[0].pod_set["template"]
    alike = (replace(member, pod_set={**member.pod_set, "template": first}) for member in pod_sets)
    return right(snapshot, check, tuple(alike), *args)


@wrong((request_construction, "request"))
def requests_pod_sets_by_their_size(right, snapshot, check, pod_sets, *args):
    """Breaks PA-062: the largest pod set comes first in a request; PRC-250 must catch it."""
    return right(snapshot, check, tuple(sorted(pod_sets, key=lambda member: -member.count)), *args)


@wrong((request_construction, "request"))
def requests_no_more_than_three_pod_sets(right, snapshot, check, pod_sets, *args):
    """Breaks PA-062: the fourth and fifth pod set are forgotten; PRC-250 must catch it."""
    return right(snapshot, check, pod_sets[:3], *args)


@wrong((managed_pod_sets, "managed_pod_sets"))
def requests_pod_sets_without_pods(right, workload, managed):
    """Breaks PA-041: a pod set of no pods is requested with one; PRC-250 must catch it."""
    fuller = [{**member, "count": max(member.get("count", 1), 1)} for member in workload.spec["podSets"]]
    empty = {member["name"] for member in workload.spec["podSets"] if not member.get("count", 1)}
    filled = replace(workload, object={**workload.object, "spec": {**workload.spec, "podSets": fuller}})
    managed_members = managed_pod_sets._managed_pod_sets(filled, managed, by_requests=True)
    return tuple(replace(member, count=1) if member.name in empty else member for member in managed_members)


def _pod_fields(right, *args, **fields):
    template = right(*args)
    spec = template["template"]["spec"]
    changed = {name: change(args[2].pod_set["template"]["spec"], spec) for name, change in fields.items()}
    return {**template, "template": {**template["template"], "spec": {**spec, **changed}}}


@wrong((templates, "pod_template"))
def tolerates_what_the_flavor_says_alone(right, *args):
    """Breaks PA-065: tolerations of a flavor replace those of the pods; PRC-250 must catch it."""

    def of_flavor(own, merged):
        present = own.get("tolerations", ())
        added = [toleration for toleration in merged.get("tolerations", ()) if toleration not in present]
        return added or own.get("tolerations", [])

    return _pod_fields(right, *args, tolerations=of_flavor)


@wrong((templates, "pod_template"))
def selects_nodes_of_the_flavor_alone(right, *args):
    """Breaks PA-065: labels of a flavor replace the node selector of the pods; PRC-250 must catch it."""

    def of_flavor(own, merged):
        own_labels = {
            name: value for name, value in merged["nodeSelector"].items() if name not in own["nodeSelector"]
        }
        return own_labels or own["nodeSelector"]

    own = args[2].pod_set["template"]["spec"]
    return _pod_fields(right, *args, nodeSelector=of_flavor) if "nodeSelector" in own else right(*args)


@wrong((templates, "pod_template"))
def requests_the_first_container_alone(right, *args):
    """Breaks PA-065: the template has the first of several containers; PRC-250 must catch it."""
    return _pod_fields(right, *args, containers=lambda own, merged: merged["containers"][:1])


@wrong((templates, "pod_template"))
def requests_no_init_containers(right, *args):
    """Breaks PA-065: containers that run before the others are left out; PRC-250 must catch it."""
    return _pod_fields(right, *args, initContainers=lambda own, merged: [])


@wrong((states, "representatives"))
def annotates_pod_sets_by_their_place(_, situation):
    """Breaks PA-085: the second pod set of a request is taken for the second of the Workload;
    PRC-250 must catch it.
    """
    pod_sets = situation.workload.spec["podSets"]
    return [pod_sets[at]["name"] for at, _ in enumerate(situation.request.templates)]


@wrong((states, "representatives"))
def annotates_the_first_pod_set_alone(right, situation):
    """Breaks PA-085: pods of the other pod sets do not know their request; PRC-250 must catch it."""
    return right(situation)[:1]


@wrong((states, "representatives"))
def annotates_every_pod_set(_, situation):
    """Breaks PA-089: pods that were not requested consume the request too; PRC-250 must catch it."""
    return [member["name"] for member in situation.workload.spec["podSets"]]


@wrong((updates, "pod_set_updates"))
def sends_the_first_pod_set_to_the_nodes(right, names, notes, selector):
    """Breaks PA-087: labels of the provided nodes go to one pod set; PRC-250 must catch it."""
    return [
        update for at, name in enumerate(names) for update in right([name], notes, {} if at else selector)
    ]


@wrong((merging, "merge"))
def merges_neighbours_alone(right, pod_sets, policy, essences):
    """Breaks PA-063: alike pod sets that stand apart are not merged; PRC-251 must catch it."""
    essence, groups = essences.get(policy), []
    if essence is None:
        return right(pod_sets, policy, essences)
    for member in pod_sets:
        if groups and essence(groups[-1][0]) == essence(member):
            groups[-1].append(member)
        else:
            groups.append([member])
    return tuple(
        (replace(members[0], count=sum(member.count for member in members)), tuple(members))
        for members in groups
    )


@wrong((merging, "merge"))
def merges_into_the_last(right, pod_sets, policy, essences):
    """Breaks PA-063: the last of alike pod sets gives place and pods; PRC-251 must catch it."""
    merged = right(pod_sets[::-1], policy, essences)
    return tuple((first, members[::-1]) for first, members in merged[::-1])


@wrong((merging, "merge"))
def counts_the_first_of_alike_pod_sets(right, pod_sets, policy, essences):
    """Breaks PA-063: the pods of those that were merged are not counted; PRC-251 must catch it."""
    return tuple((members[0], members) for _, members in right(pod_sets, policy, essences))


@wrong((decide, "current_answer"))
def manages_for_every_check_what_the_first_manages(right, snapshot, check, rules):
    """Breaks PA-040: all checks of a Workload have the managed resources of one; PRC-252 must catch it."""
    first = snapshot.checks[0].config
    config = check.config and replace(check.config, managed=first.managed)
    return right(snapshot, replace(check, config=config), rules)


@wrong((decide, "current_answer"))
def requests_for_the_first_check_alone(right, snapshot, check, rules):
    """Breaks PA-062: what another check has requested is taken for requested; PRC-252 must catch it."""
    answer = right(snapshot, check, rules)
    before = snapshot.checks[: snapshot.checks.index(check)]
    names = {member.name for other in before for member in right(snapshot, other, rules).pod_sets}
    return replace(answer, pod_sets=tuple(member for member in answer.pod_sets if member.name not in names))
