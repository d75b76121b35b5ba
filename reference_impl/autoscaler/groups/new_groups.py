"""Groups that could be made when they are needed:
one for each kind of machine that takes the pods (PR-178, PR-314).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Final

from reference_impl.api.resource import Json
from reference_impl.pods.tolerations import find_untolerated

from ..cloud import MachineType, NodeGroup
from ..simulation.node import NodeInfo, NodeShape
from ..simulation.pod import Pod, PodShape
from ..simulation.predicates import objection
from ..simulation.snapshot import ClusterSnapshot

LARGEST: Final = 1000
"""The most nodes of such a group."""


def candidate_groups(
    pods: Sequence[Pod], machines: Iterable[MachineType], groups: Sequence[NodeGroup], most: int
) -> Sequence[NodeGroup]:
    """Return the groups that could be made for pods beside those
    that there are, none when `most` have been made already.
    """
    if sum(group.autoprovisioned for group in groups) >= most:
        return ()
    shapes = {pod.shape: None for pod in pods}
    taken = {group.id for group in groups}
    new_groups = []
    for machine in machines:
        template = _template(machine, shapes)
        if all(not objection(shape, NodeInfo(template), ClusterSnapshot()) for shape in shapes):
            new_groups.append(_group(machine, template, taken))
    return new_groups


def _group(machine: MachineType, template: NodeShape, taken: Collection[str]) -> NodeGroup:
    # Names of earlier groups are not used again while they exist: a machine is known by
    # the name of its group.
    number = next(n for n in range(1, len(taken) + 2) if f"nap-{machine.name}-{n}" not in taken)
    return NodeGroup(
        id=f"nap-{machine.name}-{number}",
        min=0,
        max=LARGEST,
        target=0,
        instances=(),
        template=template,
        exists=False,
        autoprovisioned=True,
    )


def _template(machine: MachineType, shapes: Collection[PodShape]) -> NodeShape:
    """Return a node with the taints that all pods tolerate by name, so that it is theirs alone."""
    tolerations = [tuple(shape.spec.get("tolerations") or ()) for shape in shapes]
    untolerated_taints = [
        _taint(toleration)
        for toleration in (tolerations[0] if tolerations else ())
        # Only keys that the machine type allows: any toleration would otherwise become
        # a taint.
        if toleration.get("key") in machine.allowed_taints
    ]
    taints = [
        taint
        for taint in untolerated_taints
        if all(find_untolerated([taint], those) is None for those in tolerations)
    ]
    return replace(machine.template, taints=(*machine.template.taints, *taints))


def _taint(toleration: Json) -> Json:
    return {
        "key": toleration["key"],
        "value": toleration.get("value") or "",
        "effect": toleration.get("effect") or "NoSchedule",
    }
