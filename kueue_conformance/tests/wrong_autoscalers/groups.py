"""Wrong about groups that grow: how many nodes, which group, within which limits (PR-150…176)."""

from dataclasses import replace

from reference_impl.autoscaler import orchestrator
from reference_impl.autoscaler.groups import balancing, expander, plan
from reference_impl.autoscaler.groups.backoff import GroupBackoff
from reference_impl.autoscaler.groups.limits import ClusterResources
from reference_impl.autoscaler.groups.registration import NodeRegistrations
from reference_impl.autoscaler.scale_up import ScaleUpOrchestrator

from ..killing.planes import wrong


@wrong((plan, "plan"))
def provides_a_part(right, pods, view, *, all_or_nothing):
    """Breaks PR-152: has some of the nodes added where all cannot be; PRQ-105 must catch it."""
    return right(pods, view, all_or_nothing=False)


@wrong((ScaleUpOrchestrator, "serve"))
async def takes_a_refusal_for_success(right, self, pods, state, *, all_or_nothing=False):
    """Breaks PR-154: says that nodes were made which the cloud refused; PRQ-129 must catch it."""
    await right(self, pods, state, all_or_nothing=all_or_nothing)
    return True


@wrong((orchestrator, "scale_up_at_once"))
async def asks_for_nodes_for_all_pods(right, answering, rules, request, state):
    """Breaks PR-150: does not look at the room that there is; PRQ-102 must catch it."""
    from reference_impl.autoscaler.requests import conditions

    done = await answering.scale_up.serve(state.requested, state, all_or_nothing=True)
    answer = conditions.SCALED_UP if done else conditions.NOT_FOUND
    await rules.write_atomic(answering.requests, request, answer)


@wrong((ClusterResources, "find_exceeded_limits"))
def ignores_limits(right, self, node, flags, count=1):
    """Breaks PR-164: grows past the limits of the cluster; PRQ-124 must catch it."""
    return ()


@wrong((ClusterResources, "apply_limits"))
def caps_nothing(right, self, node, flags, requested):
    """Breaks PR-169: adds more nodes than the limits of the cluster leave; PRQ-127 must catch it."""
    return requested


@wrong((plan, "_limit"))
def adds_any_number_in_a_step(right, group, template, view):
    """Breaks PR-166: adds more nodes in a step than the flag says; PRQ-113 must catch it."""
    return right(group, template, replace(view, flags=replace(view.flags, max_nodes_per_scaleup=0)))


@wrong((NodeRegistrations, "upcoming"))
def forgets_nodes_on_their_way(right, self, cluster, group, current_time):
    """Breaks PR-114: does not count nodes that boot; PRQ-109 must catch it."""
    return 0


@wrong((GroupBackoff, "is_backed_off"))
def asks_a_group_again_at_once(right, self, group, current_time):
    """Breaks PR-161: does not leave a group alone that was refused; PRQ-121 should catch it."""
    return False


@wrong((GroupBackoff, "note_failure"))
def leaves_a_group_alone_for_ever(right, self, group, current_time, *cause):
    """Breaks PR-190: never asks a group again that was refused; PRQ-121 should catch it."""
    right(self, group, current_time + 7 * 24 * 3600, *cause)


@wrong((GroupBackoff, "__init__"))
def leaves_a_group_alone_for_the_same_time(right, self, initial, most, forget_after):
    """Breaks PR-190: the time for which a group is left alone does not grow; PRQ-151 should catch it."""
    right(self, initial, initial, forget_after)


@wrong((expander, "best"))
def takes_the_last_group(right, options, expander, random=None):
    """Breaks PR-175: takes no notice of the expander; PRQ-140 should catch it."""
    return max(options, key=lambda option: option.group.id, default=None)


@wrong((balancing, "are_similar"))
def takes_all_groups_for_alike(right, first, other, flags):
    """Breaks PR-349: shares nodes among groups that differ; PRQ-142 must catch it."""
    return True


@wrong((balancing, "balance"))
def fills_one_group_first(right, nodes, groups):
    """Breaks PR-350: fills a group before it looks at the next; PRQ-141 should catch it."""
    targets, remaining = {}, nodes
    for group in groups:
        added = min(remaining, group.max - group.target)
        targets.update({group.id: group.target + added} if added else {})
        remaining -= added
    return targets


@wrong((plan, "_whole"))
def grows_all_or_none_by_what_is_needed(right, option):
    """Breaks PR-173: a group of all nodes or none gets some; PRQ-130 should catch it."""
    return option


@wrong((plan, "is_group_healthy"))
def grows_what_is_not_well(right, cluster, group, awaited, flags):
    """Breaks PR-160: grows a group whose nodes are not ready; PRQ-120 should catch it."""
    return True
