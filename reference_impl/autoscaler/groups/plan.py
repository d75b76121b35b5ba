"""Which groups grow, and by how much, so that pods find a place:
a pure decision over one loop's view (PR-152, PR-160…175).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from ..cloud import NodeGroup
from ..cluster_state import ClusterState
from ..flags import Flags
from ..simulation.node import NodeInfo, NodeShape
from ..simulation.packing import UNLIMITED, BinpackingEstimate, pack
from ..simulation.pod import Pod
from ..simulation.predicates import objection
from ..simulation.snapshot import ClusterSnapshot
from .balancing import are_similar, balance
from .expander import ExpansionOption, best
from .health import is_group_healthy
from .limits import ClusterResources

NOT_ALL: Final = "not all pods would fit and scale-up is using all-or-nothing strategy"
UNHEALTHY: Final = "not ready for scale-up"
IN_BACKOFF: Final = "in backoff after failed scale-up"
AT_MAXIMUM: Final = "max node group size reached"
ALL_OR_NONE: Final = "atomic scale-up exceeds cluster node count limit"


@dataclass(frozen=True, kw_only=True)
class ScaleUpInput:
    """What a plan is made of."""

    cluster: ClusterState
    snapshot: ClusterSnapshot
    size: ClusterResources
    flags: Flags
    backed_off: Callable[[str], bool]
    awaited: Callable[[str], int]
    offered: Sequence[NodeGroup] = ()
    """Groups that could be made."""
    random: Random | None = None


@dataclass(frozen=True, slots=True)
class ScaleUpInfo:
    """A group with its current and its wanted size."""

    group: NodeGroup
    target: int

    @property
    def delta(self) -> int:
        """Return how many nodes it adds."""
        return self.target - self.group.target

    def __str__(self) -> str:
        return f"{{{self.group.id} {self.group.target}->{self.target} (max: {self.group.max})}}"


@dataclass(frozen=True, slots=True)
class ScaleUpPlan:
    """The planned increases, or why each group was left out."""

    increases: Sequence[ScaleUpInfo] = ()
    helped: Sequence[Pod] = ()
    reasons: Mapping[str, str] = field(default_factory=dict)
    """By group; a pod that finds no place is told how often each was given."""
    error: str = ""

    def refusal(self) -> str:
        """Say in one line why no group helps."""
        counted = Counter(self.reasons.values())
        return ", ".join(f"{count} {reason}" for reason, count in counted.items())


def plan(pods: Sequence[Pod], view: ScaleUpInput, *, all_or_nothing: bool) -> ScaleUpPlan:
    """Choose a group for pods, and share its nodes with groups that are alike where that is asked for."""
    reasons: dict[str, str] = {}
    options: list[ExpansionOption] = []
    for group in (*view.cluster.groups, *view.offered):
        template = view.cluster.example(group)
        reason = _gate(group, template, view)
        if template is None or reason:
            reasons[group.id] = reason
            continue
        fitting, reason = _fitting(pods, template, view)
        if reason:
            reasons[group.id] = reason
        if not fitting or (all_or_nothing and len(fitting) < len(pods)):
            continue
        packing = pack(fitting, template, view.snapshot, _limit(group, template, view))
        if packing.nodes and not (all_or_nothing and len(packing.placed) < len(pods)):
            options.append(ExpansionOption(group, template, packing))
    options = [option for option in map(_whole, options) if option is not None]
    chosen = best(options, view.flags.expander, view.random)
    if chosen is None:
        return ScaleUpPlan(reasons=reasons)
    return _size(chosen, view, reasons, all_or_nothing=all_or_nothing)


def _gate(group: NodeGroup, template: NodeShape | None, view: ScaleUpInput) -> str:
    """Say why a group may not grow at all; the order is that of the real one."""
    flags = view.flags
    if template is None or not is_group_healthy(view.cluster, group, view.awaited(group.id), flags):
        return UNHEALTHY
    if view.backed_off(group.id):
        return IN_BACKOFF
    if group.target >= group.max:
        return AT_MAXIMUM
    # Such a group jumps to its maximum, so the whole jump must fit into the limit.
    if group.zero_or_max and 0 < flags.max_nodes_total < view.size.nodes + group.room:
        return ALL_OR_NONE
    exceeded = view.size.find_exceeded_limits(template, flags)
    return f'exceeded quota: "cluster-wide", resources: {", ".join(exceeded)}' if exceeded else ""


def _fitting(pods: Sequence[Pod], template: NodeShape, view: ScaleUpInput) -> tuple[Sequence[Pod], str]:
    """Return the pods that an empty node takes, and what speaks against one of the others."""
    # Asked of an empty node: what does not fit there fits none of the group, so no
    # packing is tried.
    empty = NodeInfo(template)
    # Pods of one controller are alike: each shape is tried once.
    shapes = {pod.shape: "" for pod in pods}
    for shape in shapes:
        shapes[shape] = objection(shape, empty, view.snapshot)
    reason = next(filter(None, shapes.values()), "")
    return ([pod for pod in pods if not shapes[pod.shape]] if reason else pods), reason


def _limit(group: NodeGroup, template: NodeShape, view: ScaleUpInput) -> int:
    """Return the most nodes that an estimate may use (PR-335)."""
    flags = view.flags
    free_nodes = sum(sibling.room for sibling in _siblings(group, template, view))
    limits = [free_nodes if not group.zero_or_max else UNLIMITED]
    if flags.max_nodes_per_scaleup > 0:
        limits.append(flags.max_nodes_per_scaleup)
    if flags.max_nodes_total > 0:
        limits.append(max(0, flags.max_nodes_total - view.size.nodes))
    return min(limits)


def _siblings(group: NodeGroup, template: NodeShape, view: ScaleUpInput) -> Sequence[NodeGroup]:
    """Return a group with those that are alike and may grow too."""
    if not view.flags.balance_similar_node_groups or group.zero_or_max or not group.exists:
        return (group,)
    siblings = []
    for sibling in view.cluster.groups:
        shape = view.cluster.example(sibling)
        if sibling is group or sibling.zero_or_max or shape is None or _gate(sibling, shape, view):
            continue
        if are_similar(template, shape, view.flags):
            siblings.append(sibling)
    return (group, *siblings)


def _whole(option: ExpansionOption) -> ExpansionOption | None:
    """A group of all nodes or none jumps to its maximum, or is no option (PR-173, PR-353)."""
    group = option.group
    if not group.zero_or_max:
        return option
    if option.nodes > group.room:
        return None
    return ExpansionOption(group, option.template, BinpackingEstimate(group.room, option.packing.placed))


def _size(
    option: ExpansionOption, view: ScaleUpInput, reasons: dict[str, str], *, all_or_nothing: bool
) -> ScaleUpPlan:
    """Cap the number of nodes, and share it (PR-169…171, PR-351)."""
    flags, count = view.flags, option.nodes
    if flags.max_nodes_total > 0:
        remaining = flags.max_nodes_total - view.size.nodes
        if remaining <= 0:
            return ScaleUpPlan(reasons=reasons, error="max node total count already reached")
        count = min(count, remaining)
    # Limits cut the plan instead of refusing it: some nodes are better than none,
    # unless all are needed.
    count = view.size.apply_limits(option.template, flags, count)
    groups = _siblings(option.group, option.template, view)
    targets = balance(count, groups)
    added = sum(targets[group.id] - group.target for group in groups if group.id in targets)
    if added == 0 or (all_or_nothing and added < option.nodes):
        return ScaleUpPlan(reasons={**reasons, option.group.id: NOT_ALL})
    increases = [ScaleUpInfo(group, targets[group.id]) for group in groups if group.id in targets]
    return ScaleUpPlan(increases, option.packing.placed, reasons)
