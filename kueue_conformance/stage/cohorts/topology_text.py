"""Cohorts, ClusterQueues and Workloads as one line of text: `all { a 5, b 5 lends<=1 }` and `a: low(-1)2
high(1)3; b: other(0)4`.

A name with braces is a cohort, any other a ClusterQueue; after it stand quotas, limits and policies,
separated by blanks:

- `5` is a quota of cpu, `spot:5` one in a flavor of that name, `memory/spot:5Gi` one of another resource;
- `borrows<=3` and `lends<=2` limit the quota before them;
- `weight=` is the weight of a queue or cohort in fair sharing;
- `within=`, `reclaim=`, `borrow=`, `threshold=` are the preemption policies, `canBorrow=`, `canPreempt=` and
  `prefers=` those of flavors, with the words of the API; `StrictFIFO`, `Hold` and `HoldAndDrain` are the
  strategy and the stop policy.

A Workload is `name(priority)requests`: `2` is cpu, `1,memory=2Gi` more than one resource, `3x1` three pods,
`4x1>=2` at least two of four, `2/spot` on a flavor, and `+` joins pod sets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

_TOKEN = re.compile(r"[{},]|[^\s{},]+")
_QUOTA = re.compile(r"(?:([\w.-]+(?:/gpu)?)/)?(?:([a-z][\w-]*):)?(\d\w*)")
_LIMIT = re.compile(r"(borrows|lends)<=(\w+)")
_WORKLOAD = re.compile(r"([\w-]+)\((-?\d*)\)(\S+)")
_POD_SET = re.compile(r"(?:(\d+)x)?([^/>]*)(?:>=(\d+))?(?:/([\w-]+))?")
_PLAIN = MappingProxyType(
    {"StrictFIFO": "queueingStrategy", "Hold": "stopPolicy", "HoldAndDrain": "stopPolicy"}
)
_POLICIES = ("within", "reclaim", "borrow", "threshold", "canBorrow", "canPreempt", "prefers", "weight")
DEFAULT_FLAVOR = "default"
CPU = "cpu"


@dataclass(frozen=True, slots=True)
class Quota:
    """An amount of a resource in a flavor, with its limits."""

    resource: str
    flavor: str
    nominal: str
    limits: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CohortNode:
    """A cohort or a ClusterQueue, with the name of its parent (empty for a root)."""

    name: str
    parent: str
    is_cohort: bool
    quotas: tuple[Quota, ...]
    words: Mapping[str, str]
    """Policies and fields, by the names of the text."""


@dataclass(frozen=True, slots=True)
class PodSetText:
    """One pod set: so many pods of these requests, on a flavor where one is named."""

    count: int
    requests: Mapping[str, str]
    least: int | None = None
    flavor: str = ""


@dataclass(frozen=True, slots=True)
class WorkloadText:
    """A Workload that is submitted to a queue."""

    queue: str
    name: str
    priority: int | None
    pods: tuple[PodSetText, ...]


def parse_topology(text: str) -> Sequence[CohortNode]:
    """Return every cohort and ClusterQueue, parents first.
    Raises ValueError for a text that is no topology.
    """
    tokens = _TOKEN.findall(text)
    nodes: list[CohortNode] = []
    rest = _parse_siblings(tokens, "", nodes)
    if rest:
        raise ValueError(f"this is left over: {' '.join(rest)}")
    return nodes


def parse_workloads(text: str) -> Sequence[WorkloadText]:
    """Return the Workloads in their order. Raises ValueError for a text that is none."""
    return list(_parse_workloads(text))


def parse_pairs(text: str) -> Mapping[str, str]:
    """Return Workload → reason from `low InClusterQueue, mid InCohortReclamation`."""
    return dict(pair.split() for pair in text.split(",") if pair.strip())


def _parse_siblings(tokens: list[str], parent: str, nodes: list[CohortNode]) -> list[str]:
    while tokens and tokens[0] != "}":
        if tokens[0] == ",":
            tokens = tokens[1:]
            continue
        end = next((at for at, word in enumerate(tokens) if word in "{},"), len(tokens))
        declaration, tokens = tokens[:end], tokens[end:]
        is_cohort = tokens[:1] == ["{"]
        nodes.append(_parse_node(declaration, parent, is_cohort=is_cohort))
        if is_cohort:
            # The cohort stands in `nodes` before its members: parents first.
            tokens = _parse_siblings(tokens[1:], declaration[0], nodes)
            if tokens[:1] != ["}"]:
                raise ValueError(f"the cohort {declaration[0]} has no end")
            tokens = tokens[1:]
    return tokens


def _parse_node(declaration: Sequence[str], parent: str, *, is_cohort: bool) -> CohortNode:
    name, *tokens = declaration
    quotas: list[Quota] = []
    words: dict[str, str] = {}
    for token in tokens:
        key, _, value = token.partition("=")
        if limit := _LIMIT.fullmatch(token):
            # A limit follows the quota that it belongs to.
            last = quotas.pop()
            quotas.append(
                Quota(last.resource, last.flavor, last.nominal, {**last.limits, limit[1]: limit[2]})
            )
        elif token in _PLAIN:
            words[_PLAIN[token]] = token
        elif key in _POLICIES and value:
            words[key] = value
        elif quota := _QUOTA.fullmatch(token):
            quotas.append(Quota(quota[1] or CPU, quota[2] or DEFAULT_FLAVOR, quota[3]))
        else:
            raise ValueError(f"{name}: {token!r} is no quota, limit or policy")
    # A ClusterQueue without resource groups takes no Workload at all; one with 0 can borrow.
    if not quotas and not is_cohort:
        quotas = [Quota(CPU, DEFAULT_FLAVOR, "0")]
    return CohortNode(name, parent, is_cohort, tuple(quotas), words)


def _parse_workloads(text: str) -> Iterator[WorkloadText]:
    for queue_text in filter(None, map(str.strip, text.split(";"))):
        queue, _, rest = queue_text.partition(":")
        for token in rest.split():
            match = _WORKLOAD.fullmatch(token)
            if match is None:
                raise ValueError(f"{token!r} is no Workload such as low(-1)2")
            name, priority, pods = match.groups()
            pod_sets = tuple(map(_parse_pod_set, pods.split("+")))
            yield WorkloadText(queue.strip(), name, int(priority) if priority else None, pod_sets)


def _parse_pod_set(text: str) -> PodSetText:
    match = _POD_SET.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is no pod set such as 3x1")
    count, requests, least, flavor = match.groups()
    pairs = (pair.rpartition("=") for pair in requests.split(",") if pair)
    return PodSetText(
        int(count or 1),
        {name or CPU: amount for name, _, amount in pairs},
        int(least) if least else None,
        flavor or "",
    )
